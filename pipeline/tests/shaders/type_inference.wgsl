// Types that follow from what things are given.
const whole = 3;
const half = 0.5;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var x = whole;
    var y = half;
    let z = vec2(1, 2.5);
    let w = vec3(whole, 4, 5);
    var t = array(1u, 2, 3);
    let m = mat2x2(1, 2, 3, 4);
    x += n.x & 3;
    y *= a.x;
    t[1] += u32(n.y & 7);
    return vec4f(f32(x) + y, z * m + half, f32(w.z + i32(t[1] + t[2])));
}
