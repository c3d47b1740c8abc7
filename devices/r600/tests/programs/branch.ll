declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
define amdgpu_ps void @main(<4 x float> inreg %a, <4 x float> inreg %b) {
entry:
  %ax = extractelement <4 x float> %a, i32 0
  %ay = extractelement <4 x float> %a, i32 1
  %bx = extractelement <4 x float> %b, i32 0
  %by = extractelement <4 x float> %b, i32 1
  %c = fcmp olt float %ax, %bx
  br i1 %c, label %t, label %f
t:
  %t1 = fmul float %ax, %by
  %t2 = fadd float %t1, %bx
  %t3 = fmul float %t2, %t1
  %t4 = fsub float %t3, %ay
  %t5 = fmul float %t4, %t2
  %t6 = fadd float %t5, %t4
  %c2 = fcmp une float %ay, %by
  br i1 %c2, label %tt, label %tf
tt:
  %x1 = fmul float %t6, %t5
  %x2 = fadd float %x1, %t3
  %x3 = fmul float %x2, %x1
  %x4 = fsub float %x3, %x2
  %x5 = fmul float %x4, %x3
  %x6 = fadd float %x5, %x4
  %x7 = fmul float %x6, %x5
  br label %tj
tf:
  %y1 = fadd float %t6, 1.0
  %y2 = fmul float %y1, %y1
  %y3 = fadd float %y2, %t1
  %y4 = fmul float %y3, %y2
  %y5 = fadd float %y4, %y3
  %y6 = fmul float %y5, %y4
  %y7 = fadd float %y6, %y5
  br label %tj
tj:
  %tr = phi float [%x7, %tt], [%y7, %tf]
  br label %e
f:
  %f1 = fadd float %ay, %by
  %f2 = fmul float %f1, %f1
  %f3 = fsub float %f2, %ax
  %f4 = fmul float %f3, %f2
  %f5 = fadd float %f4, %f3
  %f6 = fmul float %f5, %f4
  %f7 = fadd float %f6, %f5
  %f8 = fmul float %f7, %f6
  br label %e
e:
  %r = phi float [%tr, %tj], [%f8, %f]
  %o0 = insertelement <4 x float> undef, float %r, i32 0
  %o1 = insertelement <4 x float> %o0, float %ax, i32 1
  %o2 = insertelement <4 x float> %o1, float %bx, i32 2
  %o3 = insertelement <4 x float> %o2, float %by, i32 3
  call void @llvm.r600.store.swizzle(<4 x float> %o3, i32 0, i32 0)
  ret void
}
