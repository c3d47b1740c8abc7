declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
define amdgpu_vs void @main(<4 x float> inreg %r0, <4 x float> inreg %a, <4 x float> inreg %b) {
  %s = fadd <4 x float> %a, %b
  call void @llvm.r600.store.swizzle(<4 x float> %s, i32 60, i32 1)
  call void @llvm.r600.store.swizzle(<4 x float> %a, i32 0, i32 2)
  call void @llvm.r600.store.swizzle(<4 x float> %b, i32 1, i32 2)
  ret void
}
