// A ray marched through a distance field: functions, a loop, an early end.
struct View {
    eye: vec3f,
    time: f32,
}
@group(0) @binding(0) var<uniform> view: View;

fn scene(p: vec3f) -> f32 {
    let ball = length(p - vec3f(0.0, 0.5 * sin(view.time), 0.0)) - 1.0;
    let box = abs(p - vec3f(2.0, 0.0, 0.0)) - vec3f(0.7);
    let corner = length(max(box, vec3f(0.0))) + min(max(box.x, max(box.y, box.z)), 0.0);
    return min(min(ball, corner), p.y + 1.0);
}

fn slope(p: vec3f) -> vec3f {
    let e = vec2f(0.001, 0.0);
    let d = vec3f(scene(p + e.xyy) - scene(p - e.xyy), scene(p + e.yxy) - scene(p - e.yxy), scene(p + e.yyx) - scene(p - e.yyx));
    return normalize(d);
}

@fragment
fn fs(@location(0) uv: vec2f) -> @location(0) vec4f {
    let direction = normalize(vec3f(uv, 1.5));
    var distance = 0.0;
    for (var i = 0; i < 32; i++) {
        let d = scene(view.eye + direction * distance);
        if d < 0.001 {
            let n = slope(view.eye + direction * distance);
            return vec4f(n * 0.5 + 0.5, 1.0);
        }
        distance += d;
        if distance > 30.0 {
            break;
        }
    }
    return vec4f(0.2, 0.3, 0.5, 1.0);
}
