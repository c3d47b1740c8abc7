// a = v1; for i in 0..max(v0 & 31, 1) { a = a * 1.5 + i } v0 = sqrt(a).
// Compiled by llc 16 -march=amdgcn -mcpu=tahiti.
v_and_b32_e32 v0, 31, v0
s_mov_b32 s2, 0
s_mov_b64 s[0:1], 0
bb3_1:
v_cvt_f32_u32_e32 v2, s2
s_add_i32 s2, s2, 1
v_mul_f32_e32 v1, 0x3fc00000, v1
v_cmp_ge_u32_e32 vcc, s2, v0
s_or_b64 s[0:1], vcc, s[0:1]
v_add_f32_e32 v1, v1, v2
s_andn2_b64 exec, exec, s[0:1]
s_cbranch_execnz bb3_1
s_or_b64 exec, exec, s[0:1]
v_sqrt_f32_e32 v0, v1
s_endpgm
