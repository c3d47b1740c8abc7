declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
declare void @llvm.r600.kill(float)
define amdgpu_ps void @main(<4 x float> inreg %a) {
  %x = extractelement <4 x float> %a, i32 0
  call void @llvm.r600.kill(float %x)
  call void @llvm.r600.store.swizzle(<4 x float> %a, i32 0, i32 0)
  ret void
}
