declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
define amdgpu_ps void @main(<4 x float> inreg %a) {
  %p0 = getelementptr [1024 x <4 x float>], ptr addrspace(8) null, i64 0, i32 0
  %c0 = load <4 x float>, ptr addrspace(8) %p0
  %p1 = getelementptr [1024 x <4 x float>], ptr addrspace(8) null, i64 0, i32 1
  %c1 = load <4 x float>, ptr addrspace(8) %p1
  %p2 = getelementptr [1024 x <4 x float>], ptr addrspace(8) null, i64 0, i32 17
  %c2 = load <4 x float>, ptr addrspace(8) %p2
  %p3 = getelementptr [1024 x <4 x float>], ptr addrspace(9) null, i64 0, i32 35
  %c3 = load <4 x float>, ptr addrspace(9) %p3
  %m = fmul <4 x float> %a, %c0
  %s = fadd <4 x float> %m, %c1
  %t = fmul <4 x float> %s, %c2
  %u = fadd <4 x float> %t, %c3
  call void @llvm.r600.store.swizzle(<4 x float> %u, i32 0, i32 0)
  ret void
}
