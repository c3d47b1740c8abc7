// A constant table, indexed at run time.
const weights = array<f32, 24>(0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5, 13.5, 14.5, 15.5, 16.5, 17.5, 18.5, 19.5, 20.5, 21.5, 22.5, 23.5);
const primes = array(2, 3, 5, 7, 11, 13);

@fragment
fn fs(@location(0) @interpolate(flat) n: u32) -> @location(0) vec4f {
    return vec4f(weights[n % 24], weights[n], f32(primes[n % 6]), 1.0);
}
