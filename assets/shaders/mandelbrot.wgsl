// The Mandelbrot set: every pixel runs a loop of its own length.

struct View {
    // Centre in the complex plane, and half its height.
    center: vec2f,
    half_height: f32,
    aspect: f32,
}

var<immediate> view: View;

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) point: vec2f,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    // One triangle that covers the window.
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
    let point = view.center + corner * vec2f(view.aspect, 1.0) * view.half_height;
    return Corner(vec4f(corner, 0.0, 1.0), point);
}

const STEPS = 192u;

@fragment
fn fragment(@location(0) point: vec2f) -> @location(0) vec4f {
    var z = vec2f(0.0);
    var step = 0u;
    loop {
        if step == STEPS || dot(z, z) > 64.0 {
            break;
        }
        z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + point;
        step += 1u;
    }
    if step == STEPS {
        return vec4f(0.0, 0.0, 0.0, 1.0);
    }
    // A smooth count, so that there are no bands.
    let smooth_step = f32(step) + 1.0 - log2(0.5 * log2(dot(z, z)));
    let t = smooth_step / 24.0;
    let color = 0.5 + 0.5 * cos(6.2831853 * (t + vec3f(0.0, 0.1, 0.22)) + vec3f(3.2));
    return vec4f(color * color, 1.0);
}
