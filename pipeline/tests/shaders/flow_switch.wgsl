// Switches with several values, default in the middle, break and return.
@fragment
fn fs(@location(0) @interpolate(flat) n: vec2i) -> @location(0) vec4i {
    var r = vec4i(n, 0, 0);
    switch n.x {
        case 1, 2, 3: {
            r.z = 10;
        }
        default: {
            r.z = 20;
            if n.y > 3 {
                break;
            }
            r.w = 1;
        }
        case 4: {
            return vec4i(4);
        }
        case -1: {
            switch n.y {
                case 0: {
                    r.w = 5;
                }
                default: {
                }
            }
        }
    }
    return r;
}
