declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
declare float @llvm.exp2.f32(float)
declare float @llvm.log2.f32(float)
declare float @llvm.sin.f32(float)
declare float @llvm.cos.f32(float)
declare float @llvm.r600.recipsqrt.ieee.f32(float)
declare float @llvm.r600.recipsqrt.clamped.f32(float)
declare float @llvm.r600.dot4(<4 x float>, <4 x float>)
declare <4 x float> @llvm.r600.cube(<4 x float>)
define amdgpu_ps void @main(<4 x float> inreg %a, <4 x float> inreg %b) {
  %ax = extractelement <4 x float> %a, i32 0
  %ay = extractelement <4 x float> %a, i32 1
  %az = extractelement <4 x float> %a, i32 2
  %aw = extractelement <4 x float> %a, i32 3
  %e = call float @llvm.exp2.f32(float %ax)
  %l = call float @llvm.log2.f32(float %ay)
  %s = call float @llvm.sin.f32(float %az)
  %c = call float @llvm.cos.f32(float %aw)
  %o0 = insertelement <4 x float> undef, float %e, i32 0
  %o1 = insertelement <4 x float> %o0, float %l, i32 1
  %o2 = insertelement <4 x float> %o1, float %s, i32 2
  %o3 = insertelement <4 x float> %o2, float %c, i32 3
  call void @llvm.r600.store.swizzle(<4 x float> %o3, i32 0, i32 0)
  %rs = call float @llvm.r600.recipsqrt.ieee.f32(float %ay)
  %rc = call float @llvm.r600.recipsqrt.clamped.f32(float %ax)
  %d = call float @llvm.r600.dot4(<4 x float> %a, <4 x float> %b)
  %q = fdiv float %ax, %ay
  %p0 = insertelement <4 x float> undef, float %rs, i32 0
  %p1 = insertelement <4 x float> %p0, float %rc, i32 1
  %p2 = insertelement <4 x float> %p1, float %d, i32 2
  %p3 = insertelement <4 x float> %p2, float %q, i32 3
  call void @llvm.r600.store.swizzle(<4 x float> %p3, i32 1, i32 0)
  %cu = call <4 x float> @llvm.r600.cube(<4 x float> %b)
  call void @llvm.r600.store.swizzle(<4 x float> %cu, i32 2, i32 0)
  ret void
}
