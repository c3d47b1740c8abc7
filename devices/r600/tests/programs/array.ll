declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
define amdgpu_ps void @main(<4 x float> inreg %a, <4 x float> inreg %b) {
entry:
  %array = alloca [4 x float], addrspace(5)
  %a0 = extractelement <4 x float> %a, i32 0
  %a1 = extractelement <4 x float> %a, i32 1
  %a2 = extractelement <4 x float> %a, i32 2
  %a3 = extractelement <4 x float> %a, i32 3
  %b0 = extractelement <4 x float> %b, i32 0
  %b1 = extractelement <4 x float> %b, i32 1
  %b2 = extractelement <4 x float> %b, i32 2
  %p0 = getelementptr [4 x float], ptr addrspace(5) %array, i32 0, i32 0
  %p1 = getelementptr [4 x float], ptr addrspace(5) %array, i32 0, i32 1
  %p2 = getelementptr [4 x float], ptr addrspace(5) %array, i32 0, i32 2
  %p3 = getelementptr [4 x float], ptr addrspace(5) %array, i32 0, i32 3
  store float %a0, ptr addrspace(5) %p0
  store float %a1, ptr addrspace(5) %p1
  store float %a2, ptr addrspace(5) %p2
  store float %a3, ptr addrspace(5) %p3
  %c0 = bitcast float %b0 to i32
  %d0 = add i32 %c0, 4
  %i0 = urem i32 %d0, 4
  %q0 = getelementptr [4 x float], ptr addrspace(5) %array, i32 0, i32 %i0
  store float %b1, ptr addrspace(5) %q0
  %c2 = bitcast float %b2 to i32
  %d2 = add i32 %c2, 4
  %i2 = urem i32 %d2, 4
  %q2 = getelementptr [4 x float], ptr addrspace(5) %array, i32 0, i32 %i2
  %l2 = load float, ptr addrspace(5) %q2
  %s = fadd float %l2, %a3
  %e1 = load float, ptr addrspace(5) %p1
  %e3 = load float, ptr addrspace(5) %p3
  %o0 = insertelement <4 x float> undef, float %s, i32 0
  %o1 = insertelement <4 x float> %o0, float %e1, i32 1
  %o2 = insertelement <4 x float> %o1, float %e3, i32 2
  %o3 = insertelement <4 x float> %o2, float %b1, i32 3
  call void @llvm.r600.store.swizzle(<4 x float> %o3, i32 0, i32 0)
  ret void
}
