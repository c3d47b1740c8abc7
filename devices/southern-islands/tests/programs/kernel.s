// out[id] = id < n ? in[id] * 2.5 / 3 : float(int(in[id] + 7) * id); out, in and n lie at s[0:1] + 36.
// Compiled by llc 16 -march=amdgcn -mcpu=tahiti.
	.text
	.section	.AMDGPU.config
	.long	47176
	.long	11468865
	.long	47180
	.long	132
	.long	47200
	.long	0
	.long	4
	.long	0
	.long	8
	.long	0
	.text
	.globl	k                               ; -- Begin function k
	.p2align	8
	.type	k,@function
k:                                      ; @k
	s_load_dwordx4 s[4:7], s[0:1], 0x9
	s_load_dword s8, s[0:1], 0xd
	v_mov_b32_e32 v1, 0
	s_mov_b32 s2, 0
	s_mov_b32 s3, 0xf000
	s_waitcnt lgkmcnt(0)
	s_mov_b64 s[0:1], s[6:7]
	v_lshlrev_b32_e32 v2, 2, v0
	v_mov_b32_e32 v3, v1
	buffer_load_dword v3, v[2:3], s[0:3], 0 addr64
	v_cmp_le_u32_e32 vcc, s8, v0
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
	s_cbranch_execz .LBB0_2
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v2, 0x40e00000, v3
	v_cvt_i32_f32_e32 v2, v2
	v_mul_lo_u32 v2, v2, v0
	v_cvt_f32_i32_e32 v2, v2
.LBB0_2:                                ; %Flow
	s_andn2_saveexec_b64 s[0:1], s[0:1]
	s_cbranch_execz .LBB0_4
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v2, 0x40200000, v3
	s_mov_b32 s6, 0x40400000
	v_div_scale_f32 v3, s[2:3], s6, s6, v2
	v_rcp_f32_e32 v4, v3
	v_fma_f32 v5, -v3, v4, 1.0
	v_fma_f32 v4, v5, v4, v4
	v_div_scale_f32 v5, vcc, v2, s6, v2
	v_mul_f32_e32 v6, v5, v4
	v_fma_f32 v7, -v3, v6, v5
	v_fma_f32 v6, v7, v4, v6
	v_fma_f32 v3, -v3, v6, v5
	v_div_fmas_f32 v3, v3, v4, v6
	v_div_fixup_f32 v2, v3, s6, v2
.LBB0_4:                                ; %j
	s_or_b64 exec, exec, s[0:1]
	v_lshl_b64 v[0:1], v[0:1], 2
	s_mov_b32 s7, 0xf000
	s_mov_b32 s6, 0
	buffer_store_dword v2, v[0:1], s[4:7], 0 addr64
	s_endpgm
.Lfunc_end0:
	.size	k, .Lfunc_end0-k
	.section	.AMDGPU.csdata
	.section	".note.GNU-stack"
	.amd_amdgpu_isa "amdgcn-pc-linux-gnu-gfx600"
