declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
declare float @llvm.floor.f32(float)
declare float @llvm.ceil.f32(float)
declare float @llvm.trunc.f32(float)
declare float @llvm.rint.f32(float)
declare float @llvm.fabs.f32(float)
declare float @llvm.maxnum.f32(float, float)
declare float @llvm.minnum.f32(float, float)
declare float @llvm.sqrt.f32(float)
define amdgpu_ps void @main(<4 x float> inreg %a, <4 x float> inreg %b) {
  %ax = extractelement <4 x float> %a, i32 0
  %ay = extractelement <4 x float> %a, i32 1
  %az = extractelement <4 x float> %a, i32 2
  %aw = extractelement <4 x float> %a, i32 3
  %bx = extractelement <4 x float> %b, i32 0
  %by = extractelement <4 x float> %b, i32 1
  %bz = extractelement <4 x float> %b, i32 2
  %bw = extractelement <4 x float> %b, i32 3
  %s = fadd float %ax, %bx
  %d = fsub float %ay, %by
  %p = fmul float %az, %bz
  %n = fneg float %aw
  %q = fadd float %p, %n
  %m = fmul float %s, %d
  %k = fadd float %m, %q
  %fl = call float @llvm.floor.f32(float %ax)
  %ce = call float @llvm.ceil.f32(float %ay)
  %tr = call float @llvm.trunc.f32(float %az)
  %ri = call float @llvm.rint.f32(float %aw)
  %ab = call float @llvm.fabs.f32(float %bx)
  %mx = call float @llvm.maxnum.f32(float %ax, float %bx)
  %mn = call float @llvm.minnum.f32(float %ay, float %by)
  %o0 = insertelement <4 x float> undef, float %s, i32 0
  %o1 = insertelement <4 x float> %o0, float %d, i32 1
  %o2 = insertelement <4 x float> %o1, float %q, i32 2
  %o3 = insertelement <4 x float> %o2, float %k, i32 3
  call void @llvm.r600.store.swizzle(<4 x float> %o3, i32 0, i32 0)
  %r0 = insertelement <4 x float> undef, float %fl, i32 0
  %r1 = insertelement <4 x float> %r0, float %ce, i32 1
  %r2 = insertelement <4 x float> %r1, float %tr, i32 2
  %r3 = insertelement <4 x float> %r2, float %ri, i32 3
  call void @llvm.r600.store.swizzle(<4 x float> %r3, i32 1, i32 0)
  %u0 = insertelement <4 x float> undef, float %ab, i32 0
  %u1 = insertelement <4 x float> %u0, float %mx, i32 1
  %u2 = insertelement <4 x float> %u1, float %mn, i32 2
  %u3 = insertelement <4 x float> %u2, float %n, i32 3
  call void @llvm.r600.store.swizzle(<4 x float> %u3, i32 2, i32 0)
  ret void
}
