// Six lights with attenuation: a loop over uniform data.
struct Light {
    position: vec3f,
    radius: f32,
    color: vec3f,
    power: f32,
}
struct Lights {
    eye: vec3f,
    count: u32,
    list: array<Light, 6>,
}
@group(0) @binding(0) var<uniform> lights: Lights;

@fragment
fn fs(@location(0) position: vec3f, @location(1) normal: vec3f) -> @location(0) vec4f {
    let n = normalize(normal);
    let view = normalize(lights.eye - position);
    var sum = vec3f(0.05);
    for (var i = 0u; i < 6; i++) {
        let light = lights.list[i];
        let to = light.position - position;
        let distance = length(to);
        if distance > light.radius {
            continue;
        }
        let direction = to / distance;
        let half = normalize(direction + view);
        let diffuse = max(dot(n, direction), 0.0);
        let shine = pow(max(dot(n, half), 0.0), light.power);
        sum += light.color * (diffuse + shine) * (1.0 - distance / light.radius);
    }
    return vec4f(sum, 1.0);
}
