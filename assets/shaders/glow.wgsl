// Lamps, the light around them, and how bright the picture is: a pass, two blurs, a count, and a pass over all of it.

struct Lamps {
    // In radians.
    turn: f32,
    // Width over height.
    aspect: f32,
}

var<immediate> lamps: Lamps;

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
}

@vertex fn vertex(@builtin(vertex_index) i: u32) -> Corner {
    // One triangle that covers the picture.
    let place = vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0;
    return Corner(vec4f(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0.0, 1.0), place);
}

const LAMPS: u32 = 9u;

@fragment fn light(corner: Corner) -> @location(0) vec4f {
    let place = (corner.place * 2.0 - 1.0) * vec2f(lamps.aspect, 1.0);
    var color = vec3f(0.01, 0.012, 0.02);
    for (var i = 0u; i < LAMPS; i++) {
        let angle = lamps.turn + f32(i) * (6.2831855 / f32(LAMPS));
        let away = distance(place, vec2f(cos(angle), sin(2.0 * angle) * 0.55) * 0.9);
        let hue = 6.0 * f32(i) / f32(LAMPS);
        let own = saturate(vec3f(abs(hue - 3.0) - 1.0, 2.0 - abs(hue - 2.0), 2.0 - abs(hue - 4.0)));
        // Brighter than the picture can show.
        color += mix(own, vec3f(1.0), 0.15) * 3.0 * (1.0 - smoothstep(0.05, 0.06, away));
    }
    return vec4f(color, 1.0);
}

@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var blurred: texture_storage_2d<rgba16float, write>;

const LINE: u32 = 64u;
const REACH: u32 = 24u;

// Texels of the line that a workgroup blurs, and those that it reaches beyond its ends.
var<workgroup> line: array<vec3f, LINE + 2u * REACH>;

// Texels below the picture's edge are those at the edge.
fn fill(i: u32, first: vec2i, step: vec2i) {
    let last = vec2i(textureDimensions(source)) - 1;
    let texel = clamp(first + (i32(i) - i32(REACH)) * step, vec2i(0), last);
    line[i] = textureLoad(source, texel, 0).rgb;
}

fn blur(i: u32, first: vec2i, step: vec2i) {
    fill(i, first, step);
    if i < 2u * REACH {
        fill(i + LINE, first, step);
    }
    workgroupBarrier();
    var sum = vec3f(0.0);
    var weights = 0.0;
    for (var tap = 0u; tap <= 2u * REACH; tap++) {
        let away = (f32(tap) - f32(REACH)) / f32(REACH);
        let weight = exp2(-5.0 * away * away);
        sum += line[i + tap] * weight;
        weights += weight;
    }
    // What lies outside of the picture is not stored.
    textureStore(blurred, first + i32(i) * step, vec4f(sum / weights, 1.0));
}

@compute @workgroup_size(LINE)
fn blur_rows(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
    blur(i, vec2i(group.xy * vec2u(LINE, 1u)), vec2i(1, 0));
}

@compute @workgroup_size(LINE)
fn blur_columns(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
    blur(i, vec2i(group.yx * vec2u(1u, LINE)), vec2i(0, 1));
}

const BINS: u32 = 64u;

@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>, BINS>;
var<workgroup> own: array<atomic<u32>, BINS>;

// Brightness from 1/64 to 4, in steps of an eighth of its logarithm.
@compute @workgroup_size(16, 16)
fn count(@builtin(local_invocation_index) i: u32, @builtin(global_invocation_id) id: vec3u) {
    if all(id.xy < textureDimensions(source)) {
        let brightness = dot(textureLoad(source, id.xy, 0).rgb, vec3f(0.2126, 0.7152, 0.0722));
        let bin = u32(clamp((log2(brightness) + 6.0) * 8.0, 0.0, f32(BINS - 1u)));
        atomicAdd(&own[bin], 1u);
    }
    workgroupBarrier();
    if i < BINS {
        atomicAdd(&counts[i], atomicLoad(&own[i]));
    }
}

@group(0) @binding(3) var lit: texture_2d<f32>;
@group(0) @binding(4) var around: texture_2d<f32>;
@group(0) @binding(5) var smooth_sampler: sampler;
@group(0) @binding(6) var<storage, read> counted: array<u32, BINS>;

@fragment fn show(corner: Corner) -> @location(0) vec4f {
    let glow = textureSampleLevel(around, smooth_sampler, corner.place, 0.0).rgb;
    var color = textureSampleLevel(lit, smooth_sampler, corner.place, 0.0).rgb + glow * 1.5;
    color = color / (1.0 + color);
    // A bar for every bin, full from an eighth of the picture on.
    let bin = min(u32(corner.place.x * f32(BINS)), BINS - 1u);
    let size = textureDimensions(lit);
    let share = f32(counted[bin]) / f32(size.x * size.y);
    let height = 0.3 * sqrt(min(share * 8.0, 1.0));
    let inside = abs(fract(corner.place.x * f32(BINS)) - 0.5) < 0.4;
    if inside && 1.0 - corner.place.y < height {
        color = mix(color, vec3f(0.9), 0.6);
    }
    return vec4f(color, 1.0);
}
