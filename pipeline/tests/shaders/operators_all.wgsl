// Every operator once, on scalars.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let u = vec2u(n.xy);
    var f = -a.x + a.y - a.z * a.w / (a.x + 2.5) % 3.0;
    var i = (~n.x & n.y | n.z ^ n.w) << 3u >> 2u;
    i += -n.x * 3 / 7 % 5;
    let b = (a.x < a.y) == (a.z >= a.w) || !(n.x != n.y) && (n.z <= n.w) != (u.x > u.y);
    f += f32(i & 0xff);
    i++;
    i--;
    return vec4f(f, f32(i & 31), select(0.0, 1.0, b & true | false), f32(u.x / 3u - u.y % 9u));
}
