// Functions that return from inside nested loops and switches.
@group(0) @binding(0) var<storage, read> cells: array<i32>;

fn find(wanted: i32) -> i32 {
    for (var y = 0; y < 4; y++) {
        for (var x = 0; x < 4; x++) {
            let value = cells[y * 4 + x];
            if value == wanted {
                return y * 4 + x;
            }
            if value < 0 {
                continue;
            }
            switch value {
                case 7: {
                    return -7;
                }
                case 8, 9: {
                    break;
                }
                default: {
                    if value > 100 {
                        break;
                    }
                    if value == 50 {
                        return 50;
                    }
                }
            }
        }
    }
    return -1;
}

@fragment
fn fs(@location(0) @interpolate(flat) wanted: i32) -> @location(0) vec4i {
    if wanted == 1000 {
        return vec4i(1);
    }
    let a = find(wanted);
    var b = find(wanted + 1);
    if b < 0 {
        b = -b;
    }
    return vec4i(a, b, wanted, 0);
}
