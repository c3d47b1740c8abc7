// v0 = (v0 / v1) ^ (i32(v0) % i32(v1)), the first unsigned.
// Compiled by llc 16 -march=amdgcn -mcpu=tahiti.
v_cvt_f32_u32_e32 v2, v1
v_ashrrev_i32_e32 v3, 31, v1
v_add_i32_e32 v4, vcc, v1, v3
v_rcp_iflag_f32_e32 v2, v2
v_xor_b32_e32 v3, v4, v3
v_cvt_f32_u32_e32 v4, v3
v_sub_i32_e32 v5, vcc, 0, v1
v_mul_f32_e32 v2, 0x4f7ffffe, v2
v_cvt_u32_f32_e32 v2, v2
v_rcp_iflag_f32_e32 v4, v4
v_ashrrev_i32_e32 v8, 31, v0
v_mul_lo_u32 v5, v5, v2
v_mul_f32_e32 v4, 0x4f7ffffe, v4
v_cvt_u32_f32_e32 v4, v4
v_mul_hi_u32 v5, v2, v5
v_add_i32_e32 v2, vcc, v2, v5
v_mul_hi_u32 v2, v0, v2
v_sub_i32_e32 v5, vcc, 0, v3
v_mul_lo_u32 v5, v5, v4
v_mul_lo_u32 v6, v2, v1
v_add_i32_e32 v7, vcc, 1, v2
v_mul_hi_u32 v5, v4, v5
v_sub_i32_e32 v6, vcc, v0, v6
v_add_i32_e64 v0, s[0:1], v0, v8
v_xor_b32_e32 v0, v0, v8
v_add_i32_e64 v4, s[0:1], v4, v5
v_mul_hi_u32 v4, v0, v4
v_cmp_ge_u32_e32 vcc, v6, v1
v_cndmask_b32_e32 v2, v2, v7, vcc
v_sub_i32_e64 v7, s[0:1], v6, v1
v_mul_lo_u32 v4, v4, v3
v_cndmask_b32_e32 v5, v6, v7, vcc
v_add_i32_e32 v6, vcc, 1, v2
v_cmp_ge_u32_e32 vcc, v5, v1
v_cndmask_b32_e32 v1, v2, v6, vcc
v_sub_i32_e32 v0, vcc, v0, v4
v_sub_i32_e32 v2, vcc, v0, v3
v_cmp_ge_u32_e32 vcc, v0, v3
v_cndmask_b32_e32 v0, v0, v2, vcc
v_sub_i32_e32 v2, vcc, v0, v3
v_cmp_ge_u32_e32 vcc, v0, v3
v_cndmask_b32_e32 v0, v0, v2, vcc
v_xor_b32_e32 v0, v0, v8
v_sub_i32_e32 v0, vcc, v0, v8
v_xor_b32_e32 v0, v1, v0
s_endpgm
