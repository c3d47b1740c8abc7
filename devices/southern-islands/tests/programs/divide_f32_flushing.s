// v0 = v0 / v1, MODE 0xc0: denormals are flushed except inside the refinement.
// Compiled by llc 16 -march=amdgcn -mcpu=tahiti.
v_div_scale_f32 v2, s[0:1], v1, v1, v0
v_rcp_f32_e32 v3, v2
v_div_scale_f32 v4, vcc, v0, v1, v0
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3
v_fma_f32 v5, -v2, v3, 1.0
v_fma_f32 v3, v5, v3, v3
v_mul_f32_e32 v5, v4, v3
v_fma_f32 v6, -v2, v5, v4
v_fma_f32 v5, v6, v3, v5
v_fma_f32 v2, -v2, v5, v4
s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 0
v_div_fmas_f32 v2, v2, v3, v5
v_div_fixup_f32 v0, v2, v1, v0
s_endpgm
