//! Machine words by hand. [SI 12]

/// S_ENDPGM
pub const END: u32 = 0xbf81_0000;
/// S_WAITCNT 0
pub const WAIT: u32 = 0xbf8c_0000;

/// S_LOAD_DWORDX4 s[dst..], s[base..], dword offset
pub fn load4(dst: u32, base: u32, offset: u32) -> u32 {
    0b11000 << 27 | 2 << 22 | dst << 15 | (base / 2) << 9 | 1 << 8 | offset
}

/// BUFFER_LOAD_FORMAT_XYZW v[dst..], v[index], s[rsrc..], 0 idxen offset
pub fn fetch(dst: u32, index: u32, rsrc: u32, offset: u32) -> [u32; 2] {
    [
        0b111000 << 26 | 3 << 18 | 1 << 13 | offset,
        index | dst << 8 | (rsrc / 4) << 16 | 128 << 24,
    ]
}

/// EXP of four registers; positions and colours are `done`, colours also `vm`.
pub fn export(target: u32, en: u32, first: u32, done: bool, vm: bool) -> [u32; 2] {
    [
        0b111110 << 26 | u32::from(vm) << 12 | u32::from(done) << 11 | target << 4 | en,
        first | (first + 1) << 8 | (first + 2) << 16 | (first + 3) << 24,
    ]
}

/// S_MOV_B32
pub fn s_mov(dst: u32, src: u32) -> u32 {
    0b1_0111_1101 << 23 | dst << 16 | 3 << 8 | src
}

/// V_MOV_B32 of a literal.
pub fn v_const(dst: u32, value: u32) -> [u32; 2] {
    [0b0111111 << 25 | dst << 17 | 1 << 9 | 255, value]
}

/// V_INTERP_P1_F32, V_INTERP_P2_F32 of one component, from i and j in `ij` and the register after it.
pub fn interp(dst: u32, ij: u32, attribute: u32, channel: u32) -> [u32; 2] {
    let word = |op: u32, src: u32| {
        0b110010 << 26 | dst << 18 | op << 16 | attribute << 10 | channel << 8 | src
    };
    [word(0, ij), word(1, ij + 1)]
}

/// V_INTERP_MOV_F32 of P0.
pub fn interp_flat(dst: u32, attribute: u32, channel: u32) -> u32 {
    0b110010 << 26 | dst << 18 | 2 << 16 | attribute << 10 | channel << 8 | 2
}

/// V_CMP_LT_F32 vcc, v[a], v[b]
pub fn cmp_lt(a: u32, b: u32) -> u32 {
    0b0111110 << 25 | 1 << 17 | b << 9 | (256 + a)
}

/// S_AND_B64 exec, exec, vcc
pub const EXEC_AND_VCC: u32 = 0b10 << 30 | 15 << 23 | 126 << 16 | 106 << 8 | 126;

/// A vertex shader: vertices of 32 bytes (position, colour) through the V# that s[0:1] points at.
pub fn vertex() -> Vec<u32> {
    let mut words = vec![load4(4, 0, 0), WAIT];
    words.extend(fetch(4, 0, 4, 0));
    words.extend(fetch(8, 0, 4, 16));
    words.push(WAIT);
    words.extend(export(12, 15, 4, true, false));
    words.extend(export(32, 15, 8, false, false));
    words.push(END);
    words
}

/// A pixel shader: attribute 0, perspective, to MRT0. No user SGPRs.
pub fn pixel() -> Vec<u32> {
    let mut words = vec![s_mov(124, 0)];
    for channel in 0..4 {
        words.extend(interp(4 + channel, 0, 0, channel));
    }
    words.extend(export(0, 15, 4, true, true));
    words.push(END);
    words
}

/// A pixel shader: attribute 0 of the provoking vertex to MRT0.
pub fn pixel_flat() -> Vec<u32> {
    let mut words = vec![s_mov(124, 0)];
    words.extend((0..4).map(|channel| interp_flat(4 + channel, 0, channel)));
    words.extend(export(0, 15, 4, true, true));
    words.push(END);
    words
}

/// A pixel shader: as [`pixel`], but pixels whose red is not below one half are discarded.
pub fn pixel_kill() -> Vec<u32> {
    let mut words = vec![s_mov(124, 0)];
    for channel in 0..4 {
        words.extend(interp(4 + channel, 0, 0, channel));
    }
    words.extend(v_const(8, 0.5f32.to_bits()));
    words.push(cmp_lt(4, 8));
    words.push(EXEC_AND_VCC);
    words.extend(export(0, 15, 4, true, true));
    words.push(END);
    words
}
