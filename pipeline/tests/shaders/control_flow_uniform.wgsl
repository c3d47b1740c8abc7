// Branches and loops that all invocations take together.
struct Settings { mode: u32, rounds: u32, scale: vec2f }
@group(0) @binding(0) var<uniform> settings: Settings;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var v = a;
    if (settings.mode & 1u) == 1u { v *= settings.scale.x; } else if (settings.mode & 2u) != 0u { v += settings.scale.y; }
    for (var i = 0u; i < settings.rounds % 9u; i++) {
        switch (settings.mode + i) % 3u {
            case 0u: { v = v.yzwx; }
            case 1u: { v -= 0.25; if i == 5u { break; } v *= 1.5; }
            default: { if v.x > 100.0 { continue; } v.x += 1.0; }
        }
    }
    return v;
}
