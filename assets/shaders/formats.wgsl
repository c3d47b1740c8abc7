// One picture in many formats. Each cell of the gallery is a triangle over its viewport.

struct Out {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
}

@vertex fn vertex(@builtin(vertex_index) i: u32) -> Out {
    let corner = vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0;
    // A margin around each cell.
    return Out(vec4f(corner.x * 2.0 - 1.0, 1.0 - corner.y * 2.0, 0.5, 1.0), corner * 1.1 - 0.05);
}

@group(0) @binding(0) var floats: texture_2d<f32>;
@group(0) @binding(0) var unsigned: texture_2d<u32>;
@group(0) @binding(0) var signed: texture_2d<i32>;
@group(0) @binding(0) var depths: texture_depth_2d;

const FRAME = vec4f(0.01, 0.012, 0.02, 1.0);

fn place(uv: vec2f, size: vec2u) -> vec2i {
    return vec2i(floor(uv * vec2f(size)));
}

fn outside(uv: vec2f) -> bool {
    return any(uv < vec2f(0.0)) || any(uv >= vec2f(1.0));
}

// Alpha shows a checkerboard through.
fn shown(texel: vec4f, uv: vec2f) -> vec4f {
    let squares = floor(uv * 8.0);
    let check = fract((squares.x + squares.y) * 0.5) * 0.4 + 0.2;
    return vec4f(mix(vec3f(check), abs(texel.rgb), texel.a), 1.0);
}

@fragment fn draw_floats(in: Out) -> @location(0) vec4f {
    if outside(in.uv) { return FRAME; }
    return shown(textureLoad(floats, place(in.uv, textureDimensions(floats)), 0), in.uv);
}

@fragment fn draw_unsigned(in: Out) -> @location(0) vec4f {
    if outside(in.uv) { return FRAME; }
    let texel = vec4f(textureLoad(unsigned, place(in.uv, textureDimensions(unsigned)), 0));
    // Where there is no alpha it reads as one.
    return shown(vec4f(texel.rgb / 100.0, 1.0), in.uv);
}

@fragment fn draw_signed(in: Out) -> @location(0) vec4f {
    if outside(in.uv) { return FRAME; }
    let texel = vec4f(textureLoad(signed, place(in.uv, textureDimensions(signed)), 0));
    return shown(vec4f(texel.rgb / 100.0, 1.0), in.uv);
}

@fragment fn draw_depths(in: Out) -> @location(0) vec4f {
    if outside(in.uv) { return FRAME; }
    let depth = textureLoad(depths, place(in.uv, textureDimensions(depths)), 0);
    return vec4f(vec3f(depth), 1.0);
}
