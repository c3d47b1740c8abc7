declare void @llvm.r600.store.swizzle(<4 x float>, i32, i32)
define amdgpu_ps void @main(<4 x float> inreg %fa, <4 x float> inreg %fb) {
  %a = bitcast <4 x float> %fa to <4 x i32>
  %b = bitcast <4 x float> %fb to <4 x i32>
  %ax = extractelement <4 x i32> %a, i32 0
  %ay = extractelement <4 x i32> %a, i32 1
  %az = extractelement <4 x i32> %a, i32 2
  %aw = extractelement <4 x i32> %a, i32 3
  %bx = extractelement <4 x i32> %b, i32 0
  %by = extractelement <4 x i32> %b, i32 1
  %bz = extractelement <4 x i32> %b, i32 2
  %bw = extractelement <4 x i32> %b, i32 3
  %add = add i32 %ax, %bx
  %sub = sub i32 %ay, %by
  %mul = mul i32 %az, %bz
  %and = and i32 %ax, %by
  %xor = xor i32 %and, %bw
  %or = or i32 %xor, 305419896
  %sh = and i32 %bw, 31
  %shl = shl i32 %ax, %sh
  %lshr = lshr i32 %ay, %sh
  %ashr = ashr i32 %az, %sh
  %ud = udiv i32 %ax, %bx
  %ur = urem i32 %ay, %by
  %sd = sdiv i32 %az, %bz
  %sr = srem i32 %aw, %bw
  %c1 = icmp slt i32 %ax, %bx
  %min = select i1 %c1, i32 %ax, i32 %bx
  %c2 = icmp ugt i32 %ay, %by
  %umax = select i1 %c2, i32 %ay, i32 %by
  %f = sitofp i32 %aw to float
  %g = uitofp i32 %bw to float
  %v0 = insertelement <4 x i32> undef, i32 %add, i32 0
  %v1 = insertelement <4 x i32> %v0, i32 %sub, i32 1
  %v2 = insertelement <4 x i32> %v1, i32 %mul, i32 2
  %v3 = insertelement <4 x i32> %v2, i32 %or, i32 3
  %vf = bitcast <4 x i32> %v3 to <4 x float>
  call void @llvm.r600.store.swizzle(<4 x float> %vf, i32 0, i32 0)
  %w0 = insertelement <4 x i32> undef, i32 %shl, i32 0
  %w1 = insertelement <4 x i32> %w0, i32 %lshr, i32 1
  %w2 = insertelement <4 x i32> %w1, i32 %ashr, i32 2
  %w3 = insertelement <4 x i32> %w2, i32 %min, i32 3
  %wf = bitcast <4 x i32> %w3 to <4 x float>
  call void @llvm.r600.store.swizzle(<4 x float> %wf, i32 1, i32 0)
  %x0 = insertelement <4 x i32> undef, i32 %ud, i32 0
  %x1 = insertelement <4 x i32> %x0, i32 %ur, i32 1
  %x2 = insertelement <4 x i32> %x1, i32 %sd, i32 2
  %x3 = insertelement <4 x i32> %x2, i32 %sr, i32 3
  %xf = bitcast <4 x i32> %x3 to <4 x float>
  call void @llvm.r600.store.swizzle(<4 x float> %xf, i32 2, i32 0)
  %fi = fptosi float %f to i32
  %fib = bitcast i32 %fi to float
  %ub = bitcast i32 %umax to float
  %y0 = insertelement <4 x float> undef, float %f, i32 0
  %y1 = insertelement <4 x float> %y0, float %g, i32 1
  %y2 = insertelement <4 x float> %y1, float %ub, i32 2
  %y3 = insertelement <4 x float> %y2, float %fib, i32 3
  call void @llvm.r600.store.swizzle(<4 x float> %y3, i32 3, i32 0)
  ret void
}
