// Thin triangles about the middle, and pictures of them side by side, magnified.

struct Turn {
    // In radians.
    angle: f32,
    // Width over height.
    aspect: f32,
}

var<immediate> turn: Turn;

const SPOKES: u32 = 7u;

struct Spoke {
    @builtin(position) position: vec4f,
    @location(0) color: vec3f,
}

@vertex fn spokes(@builtin(vertex_index) i: u32) -> Spoke {
    let spoke = i / 3u;
    let along = turn.angle + f32(spoke) * (6.2831855 / f32(SPOKES));
    let direction = vec2f(cos(along), sin(along));
    let across = vec2f(-direction.y, direction.x);
    var place = direction * 0.12;
    if i % 3u != 0u {
        place = direction * 0.95 + across * select(-0.13, 0.13, i % 3u == 1u);
    }
    let hue = f32(spoke) / f32(SPOKES) * 6.0;
    let color = saturate(vec3f(abs(hue - 3.0) - 1.0, 2.0 - abs(hue - 2.0), 2.0 - abs(hue - 4.0)));
    return Spoke(vec4f(place.x / turn.aspect, place.y, 0.0, 1.0), mix(color, vec3f(1.0), 0.35));
}

@fragment fn paint(spoke: Spoke) -> @location(0) vec4f {
    return vec4f(spoke.color, 1.0);
}

@group(0) @binding(0) var one: texture_2d<f32>;
@group(0) @binding(1) var two: texture_2d<f32>;
@group(0) @binding(2) var four: texture_2d<f32>;
@group(0) @binding(3) var eight: texture_2d<f32>;

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
}

@vertex fn cover(@builtin(vertex_index) i: u32) -> Corner {
    let place = vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0;
    return Corner(vec4f(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0.0, 1.0), place);
}

@fragment fn magnify(corner: Corner) -> @location(0) vec4f {
    let panels = corner.place * 2.0;
    let texel = vec2u(fract(panels) * vec2f(textureDimensions(one)));
    switch select(0u, 1u, panels.x >= 1.0) + select(0u, 2u, panels.y >= 1.0) {
        case 0u: { return textureLoad(one, texel, 0); }
        case 1u: { return textureLoad(two, texel, 0); }
        case 2u: { return textureLoad(four, texel, 0); }
        default: { return textureLoad(eight, texel, 0); }
    }
}
