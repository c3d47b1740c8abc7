// A vertex shader that gives more than the fragment shader takes.
struct Much { @builtin(position) at: vec4f, @location(0) a: vec4f, @location(1) b: vec2f, @location(2) @interpolate(flat) c: u32, @location(3) d: f32 }
struct Little { @location(1) b: vec2f, @location(3) d: f32 }
@vertex
fn vs(@location(0) v: vec4f, @builtin(vertex_index) i: u32) -> Much { return Much(v, v * 2.0, v.xy - v.zw, i, v.x * v.y); }
@fragment
fn fs(in: Little) -> @location(0) vec4f { return vec4f(in.b, in.d, 1.0); }
