// Light and shadow from several lamps: an array of structs, a depth array and a loop.
struct Lamp { view: mat4x4f, position: vec3f, range: f32, color: vec4f }
@group(0) @binding(0) var<storage> lamps: array<Lamp>;
@group(0) @binding(1) var shadows: texture_depth_2d_array;
@group(0) @binding(2) var compare: sampler_comparison;
fn lit(id: u32, at: vec4f) -> f32 {
    if at.w <= 0.0 { return 1.0; }
    let place = at.xyz / at.w * vec3f(0.5, -0.5, 1.0) + vec3f(0.5, 0.5, 0.0);
    return textureSampleCompareLevel(shadows, compare, place.xy, i32(id), place.z);
}
@fragment
fn fs(@location(0) normal: vec3f, @location(1) world: vec3f) -> @location(0) vec4f {
    let facing = normalize(normal + vec3f(1.0e-3));
    var color = vec3f(0.05);
    for (var i = 0u; i < min(arrayLength(&lamps), 3u); i++) {
        let lamp = lamps[i];
        let shadow = lit(i, lamp.view * vec4f(world, 1.0));
        let way = normalize(lamp.position - world);
        color += shadow * max(dot(facing, way), 0.0) * lamp.color.rgb;
    }
    return vec4f(color, 1.0);
}
