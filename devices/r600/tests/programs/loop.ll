declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
define amdgpu_ps void @main(<4 x float> inreg %a) {
entry:
  %ax = extractelement <4 x float> %a, i32 0
  %ay = extractelement <4 x float> %a, i32 1
  %n = fptosi float %ay to i32
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%i1, %next]
  %s = phi float [%ax, %entry], [%s1, %next]
  %t = phi float [1.0, %entry], [%t1, %next]
  %c = icmp sge i32 %i, %n
  br i1 %c, label %done, label %body
body:
  %odd = and i32 %i, 1
  %co = icmp eq i32 %odd, 0
  br i1 %co, label %even, label %od
even:
  %s2 = fmul float %s, 1.5
  %big = fcmp ogt float %s2, 100.0
  br i1 %big, label %done, label %next
od:
  %s3 = fadd float %s, %t
  br label %next
next:
  %s1 = phi float [%s2, %even], [%s3, %od]
  %t1 = fadd float %t, 0.25
  %i1 = add i32 %i, 1
  br label %loop
done:
  %r = phi float [%s, %loop], [%s2, %even]
  %fi = sitofp i32 %i to float
  %o0 = insertelement <4 x float> undef, float %r, i32 0
  %o1 = insertelement <4 x float> %o0, float %t, i32 1
  %o2 = insertelement <4 x float> %o1, float %fi, i32 2
  %o3 = insertelement <4 x float> %o2, float %ax, i32 3
  call void @llvm.r600.store.swizzle(<4 x float> %o3, i32 0, i32 0)
  ret void
}
