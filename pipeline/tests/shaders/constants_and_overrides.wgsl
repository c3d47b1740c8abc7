// Constants, constant expressions and overrides with defaults.
const half = 0.5;
const turn = sin(half) * 2.0 + f32(1u << 3u);
override scale: f32 = 1.5;
@id(7) override count: i32 = -3;
override flip: bool = false;
override derived: f32 = scale * 2.0;

@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    if flip {
        return a.wzyx;
    }
    return a * scale + b * f32(count) + derived + turn;
}
