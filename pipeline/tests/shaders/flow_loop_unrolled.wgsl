// Loops with few trips known now, nested.
@fragment
fn fs(@location(0) a: vec4f) -> @location(0) vec4f {
    var sum = vec4f(0.0);
    for (var i = 0; i < 4; i++) {
        for (var j = i; j < 4; j++) {
            sum[j] += a[i] * f32(j + 1);
        }
    }
    for (var k = 10; k > 0; k -= 3) {
        sum += f32(k);
    }
    return sum;
}
