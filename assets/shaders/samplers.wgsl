// What each state of a sampler does. Each cell of the gallery is a triangle over its viewport.

struct Out {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
}

@vertex fn vertex(@builtin(vertex_index) i: u32) -> Out {
    let corner = vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0;
    return Out(vec4f(corner.x * 2.0 - 1.0, 1.0 - corner.y * 2.0, 0.5, 1.0), corner);
}

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var plain: sampler;

@group(0) @binding(0) var depths: texture_depth_2d;
@group(0) @binding(1) var compared: sampler_comparison;

@group(0) @binding(0) var faces: texture_cube<f32>;

// Beyond all edges.
@fragment fn flat(in: Out) -> @location(0) vec4f {
    return vec4f(textureSample(picture, plain, in.uv * 2.5 - 0.75).rgb, 1.0);
}

// A few texels, large.
@fragment fn near(in: Out) -> @location(0) vec4f {
    return vec4f(textureSample(picture, plain, in.uv * 0.07 + 0.39).rgb, 1.0);
}

// A floor that reaches to the horizon.
@fragment fn floor_far(in: Out) -> @location(0) vec4f {
    let distance = 0.35 / (in.uv.y + 0.04);
    let place = vec2f((in.uv.x - 0.5) * distance * 2.0, distance * 1.5);
    return vec4f(textureSample(picture, plain, place).rgb, 1.0);
}

// Coordinates in texels.
@fragment fn texels(in: Out) -> @location(0) vec4f {
    return vec4f(textureSampleLevel(picture, plain, in.uv * 24.0 + 98.0, 0.0).rgb, 1.0);
}

// The red of four neighbours as a colour.
@fragment fn gathered(in: Out) -> @location(0) vec4f {
    return vec4f(textureGather(0, picture, plain, in.uv * 0.07 + 0.39).xyz, 1.0);
}

// The picture and the picture a few texels on.
@fragment fn offset(in: Out) -> @location(0) vec4f {
    let uv = in.uv * 0.2 + 0.33;
    let here = textureSample(picture, plain, uv).rgb;
    let there = textureSample(picture, plain, uv, vec2i(7, -7)).rgb;
    return vec4f(here.r, there.g, here.b, 1.0);
}

// In front of the stored depth or behind it.
@fragment fn shadow(in: Out) -> @location(0) vec4f {
    let lit = textureSampleCompare(depths, compared, in.uv, 0.5);
    return vec4f(lit, lit * 0.8, 0.2, 1.0);
}

// A corner of a cube, seen from inside.
@fragment fn cube(in: Out) -> @location(0) vec4f {
    let direction = vec3f(1.0, 1.0, 1.0) + vec3f(in.uv.x - 0.5, 0.5 - in.uv.y, in.uv.y - in.uv.x) * 2.0;
    return vec4f(textureSample(faces, plain, direction).rgb, 1.0);
}
