declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
define amdgpu_ps void @main(<4 x float> inreg %a) {
  %x = extractelement <4 x float> %a, i32 0
  %i = bitcast float %x to i32
  %p2 = getelementptr [1024 x <4 x float>], ptr addrspace(8) null, i64 0, i32 %i
  %c2 = load <4 x float>, ptr addrspace(8) %p2
  %p3 = getelementptr [1024 x <4 x float>], ptr addrspace(9) null, i64 0, i32 %i
  %c3 = load <4 x float>, ptr addrspace(9) %p3
  %s = fadd <4 x float> %c2, %c3
  call void @llvm.r600.store.swizzle(<4 x float> %s, i32 0, i32 0)
  ret void
}
