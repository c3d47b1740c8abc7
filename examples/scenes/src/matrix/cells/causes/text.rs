//! A screen of windows full of text: glyphs from signed distances in one byte a texel, blended over rounded panels.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::super::plan::{Contents, Draw, Pipeline, Plan, Resource, Sampling, Target, Texture};
use crate::mesh::Numbers;

/// Texels across and down of a glyph, and glyphs across and down of the atlas.
const CELL: u32 = 32;
const ATLAS: [u32; 2] = [8, 5];

/// Letters and digits, three by five points each: a digit is a row, its highest bit the left point.
const GLYPHS: [u16; 40] = [
    0o25755, 0o65656, 0o34443, 0o65556, 0o74647, 0o74644, 0o34553, 0o55755, 0o72227, 0o11152,
    0o55655, 0o44447, 0o57755, 0o65555, 0o25552, 0o65644, 0o25563, 0o65655, 0o34216, 0o72222,
    0o55557, 0o55552, 0o55775, 0o55255, 0o55222, 0o71247, 0o75557, 0o26227, 0o71747, 0o71717,
    0o55711, 0o74717, 0o74757, 0o71222, 0o75757, 0o75717, 0o00002, 0o00024, 0o00700, 0o02020,
];

const WORDS: &str = "THE PICTURE OF A FRAME IS DRAWN FROM 12 TEXTURES, 480 BUFFERS: NO STATE HAS CHANGED. \
    QUEUE 3 WAITS FOR JOB 76 - VERTEX WORK TAKES 0.25 MS, PIXELS 1.9 MS. EXPECT LAZY ZOOM, GLYPHS KEEP SHARP EDGES";

/// Corner `n` of a rectangle in pixels, and both entry points' inputs.
const RECTANGLE: &str = "
struct V {
    @builtin(position) at: vec4f,
    @location(0) uv: vec2f,
    @location(1) color: vec4f,
    @location(2) half: vec3f,
};
fn placed(pixel: vec2f) -> vec4f {
    return vec4f(pixel.x / 640.0 - 1.0, 1.0 - pixel.y / 360.0, 0.0, 1.0);
}
fn corner(n: u32) -> vec2f {
    return vec2f(f32(n & 1u), f32(n >> 1u));
}
";

const PANEL: &str = "
@vertex fn vs(
    @builtin(vertex_index) n: u32,
    @location(0) place: vec4f,
    @location(1) color: vec4f,
    @location(2) edge: vec4f,
) -> V {
    let half = place.zw * 0.5;
    let local = (corner(n) * 2.0 - 1.0) * (half + edge.y);
    return V(placed(place.xy + half + local), local, color, vec3f(half, edge.x));
}
@fragment fn fs(v: V) -> @location(0) vec4f {
    let q = abs(v.uv) - v.half.xy + v.half.z;
    let d = length(max(q, vec2f(0.0))) + min(max(q.x, q.y), 0.0) - v.half.z;
    let soft = max(fwidth(d), 0.001);
    let line = 1.0 - smoothstep(0.0, 1.5, abs(d + 1.0));
    return vec4f(v.color.rgb + line * 0.15, v.color.a * clamp(0.5 - d / soft, 0.0, 1.0));
}
";

const GLYPH: &str = "
@group(0) @binding(0) var atlas: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@vertex fn vs(
    @builtin(vertex_index) n: u32,
    @location(0) place: vec4f,
    @location(1) color: vec4f,
    @location(2) texels: vec4f,
) -> V {
    let c = corner(n);
    return V(placed(place.xy + place.zw * c), texels.xy + texels.zw * c, color, vec3f(0.0));
}
@fragment fn fs(v: V) -> @location(0) vec4f {
    let d = textureSample(atlas, s, v.uv).r;
    let soft = fwidth(d) * 0.7;
    return vec4f(v.color.rgb, v.color.a * smoothstep(0.5 - soft, 0.5 + soft, d));
}
";

/// Strokes between neighbouring points of a glyph, in texels of its cell; a point on its own is a stroke of no length.
fn strokes(glyph: u16) -> Vec<[[f32; 2]; 2]> {
    let lit = |x: i32, y: i32| {
        (0..3).contains(&x) && (0..5).contains(&y) && glyph >> (14 - 3 * y - x) & 1 == 1
    };
    let place = |x: i32, y: i32| [9.0 + 7.0 * x as f32, 4.0 + 6.0 * y as f32];
    let mut strokes = Vec::new();
    for (x, y) in (0..15).map(|n| (n % 3, n / 3)).filter(|&(x, y)| lit(x, y)) {
        strokes.push([place(x, y); 2]);
        for (right, down) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
            let around = right != 0 && down != 0 && (lit(x + right, y) || lit(x, y + down));
            if lit(x + right, y + down) && !around {
                strokes.push([place(x, y), place(x + right, y + down)]);
            }
        }
    }
    strokes
}

/// Distance from a point to a stroke.
fn distance([x, y]: [f32; 2], [[ax, ay], [bx, by]]: [[f32; 2]; 2]) -> f32 {
    let (dx, dy) = (bx - ax, by - ay);
    let square = (dx * dx + dy * dy).max(1e-6);
    let t = (((x - ax) * dx + (y - ay) * dy) / square).clamp(0.0, 1.0);
    let (ex, ey) = (x - ax - dx * t, y - ay - dy * t);
    (ex * ex + ey * ey).sqrt()
}

/// Half on the outline of strokes two texels to each side of their middle, more within.
fn atlas() -> Vec<u8> {
    let glyphs = GLYPHS.map(strokes);
    let [wide, high] = ATLAS.map(|n| n * CELL);
    let texel = |n: u32| {
        let (column, row) = (n % wide, n / wide);
        let glyph = &glyphs[(row / CELL * ATLAS[0] + column / CELL) as usize];
        let place = [column % CELL, row % CELL].map(|c| c as f32 + 0.5);
        let far = glyph.iter().map(|&stroke| distance(place, stroke));
        let far = far.fold(CELL as f32, f32::min);
        ((0.5 + (2.0 - far) / 12.0).clamp(0.0, 1.0) * 255.0) as u8
    };
    (0..wide * high).map(texel).collect()
}

/// Place and size, colour, radius and growth or texels.
type Quad = [f32; 12];

fn quad(place: [f32; 4], color: [f32; 4], rest: [f32; 4]) -> Quad {
    let rows = [place, color, rest];
    std::array::from_fn(|n| rows[n / 4][n % 4])
}

fn glyph(letter: char, [x, y]: [f32; 2], size: f32, color: [f32; 4]) -> Option<Quad> {
    let number = match letter {
        'A'..='Z' => letter as u32 - 'A' as u32,
        '0'..='9' => 26 + letter as u32 - '0' as u32,
        _ => 36 + ".,-:".find(letter)? as u32,
    };
    let (column, row) = (number % ATLAS[0], number / ATLAS[0]);
    let [wide, high] = ATLAS.map(|n| 1.0 / n as f32);
    let texels = [column as f32 * wide, row as f32 * high, wide, high];
    Some(quad([x, y, size, size], color, texels))
}

/// Windows on a grid: shadow, panel and bar, then lines of text.
fn windows() -> [Vec<Quad>; 2] {
    let mut numbers = Numbers(77);
    let (mut panels, mut glyphs) = (Vec::new(), Vec::new());
    let mut letters = WORDS.chars().cycle();
    for window in 0..12 {
        let (column, row) = ((window % 4) as f32, (window / 4) as f32);
        let (x, y) = (8.0 + column * 318.0, 8.0 + row * 238.0);
        let (wide, high) = (308.0, 228.0);
        let shade = [0.0, 0.0, 0.0, 0.35];
        panels.push(quad(
            [x + 4.0, y + 5.0, wide, high],
            shade,
            [10.0, 2.0, 0.0, 0.0],
        ));
        let back = [0.11, 0.12, 0.15, 0.92];
        panels.push(quad([x, y, wide, high], back, [8.0, 1.0, 0.0, 0.0]));
        let bar = [0.18, numbers.between(0.2, 0.4), 0.5, 0.9];
        panels.push(quad(
            [x + 4.0, y + 4.0, wide - 8.0, 22.0],
            bar,
            [5.0, 1.0, 0.0, 0.0],
        ));
        let size = [9.0, 11.0, 13.0, 16.0][window % 4];
        let advance = size * 0.72;
        let lines = ((high - 36.0) / (size * 1.2)) as u32;
        for line in 0..=lines {
            let title = line == 0;
            let top = match title {
                true => y + 7.0,
                false => y + 32.0 + (line - 1) as f32 * size * 1.2,
            };
            let (size, advance) = if title { (16.0, 11.5) } else { (size, advance) };
            let color = match line % 5 {
                0 => [1.0, 1.0, 1.0, 1.0],
                3 => [0.95, 0.7, 0.35, 1.0],
                _ => [0.75, 0.8, 0.85, 0.95],
            };
            for place in 0..((wide - 24.0) / advance) as u32 {
                let at = [x + 12.0 + place as f32 * advance, top];
                let letter = letters.next().unwrap_or(' ');
                glyphs.extend(glyph(letter, at, size, color));
            }
        }
    }
    [panels, glyphs]
}

pub(super) fn plan() -> Plan {
    let mut plan = Plan::new("cause/text");
    plan.picture = plan.target(F::Rgba8Unorm, super::SIZE, 1);
    let texture = plan.texture(Texture {
        format: F::R8Unorm,
        view: TextureViewDimension::D2,
        size: [ATLAS[0] * CELL, ATLAS[1] * CELL, 1],
        levels: 1,
        samples: 1,
        contents: Contents::Made(atlas),
    });
    let set = plan.set(vec![
        Resource::Texture(texture, super::FILTERED),
        Resource::Sampler(Sampling::LINEAR.clamped()),
    ]);
    let mut draws = Vec::new();
    for (quads, (text, set)) in std::iter::zip(windows(), [(PANEL, None), (GLYPH, Some(set))]) {
        let mut pipeline = Pipeline::new(format!("{RECTANGLE}{text}"), &[F::Rgba8Unorm]);
        pipeline.set = set;
        pipeline.buffers = vec![super::per_instance(0, 3)];
        pipeline.topology = PrimitiveTopology::TriangleStrip;
        pipeline.targets[0].blend = Some(BlendState::ALPHA_BLENDING);
        let pipeline = plan.pipeline(pipeline);
        let buffer = super::instances(&mut plan, &quads);
        draws.push(Draw {
            set,
            vertices: vec![buffer],
            instances: 0..quads.len() as u32,
            ..Draw::new(pipeline, 0..4)
        });
    }
    let target = Target {
        clear: Some([0.2, 0.25, 0.3, 1.0]),
        ..Target::cleared(plan.picture)
    };
    plan.pass(vec![target], None, draws);
    plan
}
