// Values of a loop used behind it; lanes leave in different iterations.
@fragment
fn fs(@location(0) @interpolate(flat) n: u32) -> @location(0) vec4u {
    var i = 0u;
    var previous = 0u;
    var odd = false;
    loop {
        let square = i * i;
        i += 1;
        odd = (square & 1) == 1;
        if square >= n % 97 {
            break;
        }
        previous = square;
    }
    return vec4u(i, previous, u32(odd), n);
}
