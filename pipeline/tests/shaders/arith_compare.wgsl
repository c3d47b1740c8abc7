// Every comparison of every kind.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let f = vec4u(a < b) + 2 * vec4u(a <= b) + 4 * vec4u(a == b) + 8 * vec4u(a != b) + 16 * vec4u(a > b) + 32 * vec4u(a >= b);
    let i = vec4i(a);
    let j = vec4i(b);
    let s = vec4u(i < j) + 2 * vec4u(i <= j) + 4 * vec4u(i == j) + 8 * vec4u(i != j) + 16 * vec4u(i > j) + 32 * vec4u(i >= j);
    let u = vec4u(a);
    let v = vec4u(b);
    let t = vec4u(u < v) + 2 * vec4u(u <= v) + 16 * vec4u(u > v) + 32 * vec4u(u >= v);
    return vec4f(f + 64 * s + 4096 * t);
}
