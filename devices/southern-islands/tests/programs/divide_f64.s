// v[0:1] = v[0:1] / v[2:3], MODE 0xf0.
// Compiled by llc 16 -march=amdgcn -mcpu=tahiti.
v_div_scale_f64 v[4:5], s[0:1], v[2:3], v[2:3], v[0:1]
v_rcp_f64_e32 v[6:7], v[4:5]
v_cmp_eq_u32_e32 vcc, v3, v5
v_fma_f64 v[8:9], -v[4:5], v[6:7], 1.0
v_fma_f64 v[6:7], v[6:7], v[8:9], v[6:7]
v_div_scale_f64 v[8:9], s[0:1], v[0:1], v[2:3], v[0:1]
v_fma_f64 v[10:11], -v[4:5], v[6:7], 1.0
v_fma_f64 v[6:7], v[6:7], v[10:11], v[6:7]
v_cmp_eq_u32_e64 s[0:1], v1, v9
v_mul_f64 v[10:11], v[8:9], v[6:7]
s_xor_b64 vcc, s[0:1], vcc
v_fma_f64 v[4:5], -v[4:5], v[10:11], v[8:9]
v_div_fmas_f64 v[4:5], v[4:5], v[6:7], v[10:11]
v_div_fixup_f64 v[0:1], v[4:5], v[2:3], v[0:1]
s_endpgm
