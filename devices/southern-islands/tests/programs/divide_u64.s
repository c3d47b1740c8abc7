// v0 = both halves xored of u64(v[0:1]) / u64(v[2:3]).
// Compiled by llc 16 -march=amdgcn -mcpu=tahiti.
v_or_b32_e32 v5, v1, v3
v_mov_b32_e32 v4, 0
v_cmp_ne_u64_e32 vcc, 0, v[4:5]
s_and_saveexec_b64 s[0:1], vcc
s_xor_b64 s[2:3], exec, s[0:1]
s_cbranch_execz bb4_2
v_cvt_f32_u32_e32 v4, v2
v_cvt_f32_u32_e32 v5, v3
v_sub_i32_e32 v6, vcc, 0, v2
v_subb_u32_e32 v7, vcc, 0, v3, vcc
v_mac_f32_e32 v4, 0x4f800000, v5
v_rcp_f32_e32 v4, v4
v_mul_f32_e32 v4, 0x5f7ffffc, v4
v_mul_f32_e32 v5, 0x2f800000, v4
v_trunc_f32_e32 v5, v5
v_mac_f32_e32 v4, 0xcf800000, v5
v_cvt_u32_f32_e32 v5, v5
v_cvt_u32_f32_e32 v4, v4
v_mul_lo_u32 v8, v6, v5
v_mul_hi_u32 v9, v6, v4
v_mul_lo_u32 v11, v7, v4
v_mul_lo_u32 v10, v6, v4
v_add_i32_e32 v8, vcc, v9, v8
v_add_i32_e32 v8, vcc, v8, v11
v_mul_hi_u32 v9, v4, v10
v_mul_lo_u32 v11, v4, v8
v_mul_hi_u32 v12, v4, v8
v_mul_hi_u32 v13, v5, v8
v_mul_lo_u32 v8, v5, v8
v_add_i32_e32 v9, vcc, v9, v11
v_addc_u32_e32 v11, vcc, 0, v12, vcc
v_mul_lo_u32 v12, v5, v10
v_mul_hi_u32 v10, v5, v10
v_add_i32_e32 v9, vcc, v9, v12
v_addc_u32_e32 v9, vcc, v11, v10, vcc
v_addc_u32_e32 v10, vcc, 0, v13, vcc
v_add_i32_e32 v8, vcc, v9, v8
v_addc_u32_e32 v9, vcc, 0, v10, vcc
v_add_i32_e32 v4, vcc, v4, v8
v_addc_u32_e32 v5, vcc, v5, v9, vcc
v_mul_lo_u32 v8, v6, v5
v_mul_hi_u32 v9, v6, v4
v_mul_lo_u32 v7, v7, v4
v_mul_lo_u32 v6, v6, v4
v_add_i32_e32 v8, vcc, v9, v8
v_add_i32_e32 v7, vcc, v8, v7
v_mul_lo_u32 v10, v4, v7
v_mul_hi_u32 v11, v4, v6
v_mul_hi_u32 v12, v4, v7
v_mul_hi_u32 v9, v5, v6
v_mul_lo_u32 v6, v5, v6
v_mul_hi_u32 v8, v5, v7
v_add_i32_e32 v10, vcc, v11, v10
v_addc_u32_e32 v11, vcc, 0, v12, vcc
v_mul_lo_u32 v7, v5, v7
v_add_i32_e32 v6, vcc, v10, v6
v_addc_u32_e32 v6, vcc, v11, v9, vcc
v_addc_u32_e32 v8, vcc, 0, v8, vcc
v_add_i32_e32 v6, vcc, v6, v7
v_addc_u32_e32 v7, vcc, 0, v8, vcc
v_add_i32_e32 v4, vcc, v4, v6
v_addc_u32_e32 v5, vcc, v5, v7, vcc
v_mul_lo_u32 v6, v0, v5
v_mul_hi_u32 v7, v0, v4
v_mul_hi_u32 v8, v0, v5
v_mul_hi_u32 v9, v1, v5
v_mul_lo_u32 v5, v1, v5
v_add_i32_e32 v6, vcc, v7, v6
v_addc_u32_e32 v7, vcc, 0, v8, vcc
v_mul_lo_u32 v8, v1, v4
v_mul_hi_u32 v4, v1, v4
v_add_i32_e32 v6, vcc, v6, v8
v_addc_u32_e32 v4, vcc, v7, v4, vcc
v_addc_u32_e32 v6, vcc, 0, v9, vcc
v_add_i32_e32 v4, vcc, v4, v5
v_addc_u32_e32 v5, vcc, 0, v6, vcc
v_mul_lo_u32 v6, v2, v5
v_mul_hi_u32 v7, v2, v4
v_mul_lo_u32 v8, v3, v4
v_add_i32_e32 v6, vcc, v7, v6
v_mul_lo_u32 v7, v2, v4
v_add_i32_e32 v6, vcc, v6, v8
v_sub_i32_e32 v8, vcc, v1, v6
v_sub_i32_e32 v0, vcc, v0, v7
v_subb_u32_e64 v7, s[0:1], v8, v3, vcc
v_sub_i32_e64 v8, s[0:1], v0, v2
v_subbrev_u32_e64 v7, s[0:1], 0, v7, s[0:1]
v_cmp_ge_u32_e64 s[0:1], v7, v3
v_cndmask_b32_e64 v9, 0, -1, s[0:1]
v_cmp_ge_u32_e64 s[0:1], v8, v2
v_cndmask_b32_e64 v8, 0, -1, s[0:1]
v_cmp_eq_u32_e64 s[0:1], v7, v3
v_cndmask_b32_e64 v7, v9, v8, s[0:1]
v_add_i32_e64 v8, s[0:1], 2, v4
v_subb_u32_e32 v1, vcc, v1, v6, vcc
v_addc_u32_e64 v9, s[0:1], 0, v5, s[0:1]
v_cmp_ge_u32_e32 vcc, v1, v3
v_add_i32_e64 v10, s[0:1], 1, v4
v_cndmask_b32_e64 v6, 0, -1, vcc
v_cmp_ge_u32_e32 vcc, v0, v2
v_addc_u32_e64 v11, s[0:1], 0, v5, s[0:1]
v_cndmask_b32_e64 v0, 0, -1, vcc
v_cmp_eq_u32_e32 vcc, v1, v3
v_cmp_ne_u32_e64 s[0:1], 0, v7
v_cndmask_b32_e32 v0, v6, v0, vcc
v_cndmask_b32_e64 v7, v11, v9, s[0:1]
v_cmp_ne_u32_e32 vcc, 0, v0
v_cndmask_b32_e64 v0, v10, v8, s[0:1]
v_cndmask_b32_e32 v5, v5, v7, vcc
v_cndmask_b32_e32 v4, v4, v0, vcc
bb4_2:
s_andn2_saveexec_b64 s[0:1], s[2:3]
s_cbranch_execz bb4_4
v_cvt_f32_u32_e32 v1, v2
v_sub_i32_e32 v3, vcc, 0, v2
v_mov_b32_e32 v5, 0
v_rcp_iflag_f32_e32 v1, v1
v_mul_f32_e32 v1, 0x4f7ffffe, v1
v_cvt_u32_f32_e32 v1, v1
v_mul_lo_u32 v3, v3, v1
v_mul_hi_u32 v3, v1, v3
v_add_i32_e32 v1, vcc, v1, v3
v_mul_hi_u32 v1, v0, v1
v_mul_lo_u32 v3, v1, v2
v_add_i32_e32 v4, vcc, 1, v1
v_sub_i32_e32 v0, vcc, v0, v3
v_sub_i32_e32 v3, vcc, v0, v2
v_cmp_ge_u32_e32 vcc, v0, v2
v_cndmask_b32_e32 v1, v1, v4, vcc
v_cndmask_b32_e32 v0, v0, v3, vcc
v_add_i32_e32 v3, vcc, 1, v1
v_cmp_ge_u32_e32 vcc, v0, v2
v_cndmask_b32_e32 v4, v1, v3, vcc
bb4_4:
s_or_b64 exec, exec, s[0:1]
v_xor_b32_e32 v0, v4, v5
s_endpgm
