//! Dispatches over rows and blocks: Fourier transforms, cosines, wavelets, a table of sums, and pictures compared by their
//! bits.

use super::*;

/// A picture of 512 by 512 disks.
fn picture(plan: &mut Plan) -> Resource {
    let Read(texture, kind, _) = made(F::Rgba8Unorm, 512, disks);
    Resource::Texture(plan.texture(texture), kind)
}

/// An image of so many texels across and down, for stores.
fn stored(plan: &mut Plan, format: F, edge: u32) -> usize {
    plan.target(format, [edge, edge], 1)
}

/// Rows and columns of 256 by 256 numbers go to frequencies, lose most of them, and come back.
fn fourier() -> Plan {
    let pass = |along: u32, across: u32, sign: f32, scaled: &str| {
        format!(
            "@group(0) @binding(0) var<storage, read> a: array<vec2f>;
            @group(0) @binding(1) var<storage, read_write> b: array<vec2f>;
            var<workgroup> s: array<array<vec2f, 256>, 2>;
            fn times(x: vec2f, y: vec2f) -> vec2f {{ return vec2f(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x); }}
            fn scaled(x: vec2f, at: vec2u) -> vec2f {{ {scaled} }}
            @compute @workgroup_size(128) fn cs(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) l: u32) {{
                let first = w.x * {across}u;
                s[0][l] = a[first + l * {along}u];
                s[0][l + 128u] = a[first + (l + 128u) * {along}u];
                var now = 0u;
                for (var n = 1u; n < 256u; n <<= 1u) {{
                    workgroupBarrier();
                    let k = l & (n - 1u);
                    let angle = {sign:?} * 3.14159265 * f32(k) / f32(n);
                    let x = s[now][l];
                    let y = times(s[now][l + 128u], vec2f(cos(angle), sin(angle)));
                    let to = (l - k) * 2u + k;
                    s[1u - now][to] = x + y;
                    s[1u - now][to + n] = x - y;
                    now = 1u - now;
                }}
                workgroupBarrier();
                for (var i = l; i < 256u; i += 128u) {{
                    b[first + i * {along}u] = scaled(s[now][i], vec2u(i, w.x)) / 16.0;
                }}
            }}"
        )
    };
    let kept = "let p = vec2f(vec2i((at + 128u) & vec2u(255u)) - 128) / vec2f(24.0, 60.0);
        return x / (1.0 + pow(dot(p, p), 3.0));";
    let mut plan = empty("compute/fourier both ways");
    let numbers = (0..1u32 << 16).flat_map(|n| {
        let kind = (n % 256 / 21 * 7 + n / 256 / 17 * 11) % 13;
        [kind as f32 / 13.0 + 0.3 * part(n), 0.0]
    });
    let first = plan.buffer(BufferUsages::STORAGE, floats(numbers));
    let spaces = [(); 2].map(|()| space(&mut plan, 1 << 17));
    let (rows, columns) = ((1, 256), (256, 1));
    let passes = [
        (rows, -1.0, "return x;"),
        (columns, -1.0, kept),
        (columns, 1.0, "return x;"),
        (rows, 1.0, "return x;"),
    ];
    for (n, ((along, across), sign, scaled)) in passes.into_iter().enumerate() {
        let before = if n == 0 { first } else { spaces[(n + 1) % 2] };
        let resources = vec![Resource::Storage(before), Resource::Written(spaces[n % 2])];
        run(
            &mut plan,
            pass(along, across, sign, scaled),
            resources,
            [256, 1, 1],
        );
    }
    let color = "let c = bitcast<f32>(b[(at.x / 2u + at.y / 2u * 256u) * 2u]);
        return vec4f(c, c * 0.8, abs(c - 0.5), 1.0);";
    shown(&mut plan, spaces[1], color);
    plan
}

/// Blocks of 8 by 8 become cosines, are rounded by a table, and become texels again.
fn cosines() -> Plan {
    let text = "
        const STEPS = array<u32, 16>(0x100b0a10u, 0x3d332818u, 0x130e0c0cu, 0x373c3a1au, 0x18100d0eu, 0x38453928u, 0x1d16110eu, 0x3e505733u,
            0x3825160cu, 0x4d67443du, 0x40372318u, 0x5c716851u, 0x574e4031u, 0x65787967u, 0x625f5c48u, 0x63676470u);
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var o: texture_storage_2d<rgba8unorm, write>;
        var<workgroup> waves: array<array<f32, 8>, 8>;
        var<workgroup> a: array<array<vec3f, 8>, 8>;
        var<workgroup> b: array<array<vec3f, 8>, 8>;
        fn step(n: u32) -> f32 { return f32(STEPS[n >> 2u] >> (n & 3u) * 8u & 255u); }
        @compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_id) l: vec3u) {
            let x = l.x;
            let y = l.y;
            waves[y][x] = cos((2.0 * f32(x) + 1.0) * f32(y) * 3.14159265 / 16.0) * select(0.5, 0.35355339, y == 0u);
            let c = textureLoad(t, g.xy, 0).rgb * 255.0;
            a[y][x] = vec3f(dot(c, vec3f(0.299, 0.587, 0.114)) - 128.0, dot(c, vec3f(-0.169, -0.331, 0.5)), dot(c, vec3f(0.5, -0.419, -0.081)));
            workgroupBarrier();
            var s = vec3f();
            for (var k = 0u; k < 8u; k++) { s += a[y][k] * waves[x][k]; }
            b[y][x] = s;
            workgroupBarrier();
            s = vec3f();
            for (var k = 0u; k < 8u; k++) { s += b[k][x] * waves[y][k]; }
            let q = vec3f(step(y * 8u + x)) * vec3f(1.0, 1.5, 1.5);
            a[y][x] = round(s / q) * q;
            workgroupBarrier();
            s = vec3f();
            for (var k = 0u; k < 8u; k++) { s += a[y][k] * waves[k][x]; }
            b[y][x] = s;
            workgroupBarrier();
            s = vec3f();
            for (var k = 0u; k < 8u; k++) { s += b[k][x] * waves[k][y]; }
            let d = vec3f(s.x + 1.402 * s.z, s.x - 0.344 * s.y - 0.714 * s.z, s.x + 1.772 * s.y) + 128.0 * vec3f(1.0, 1.0, 1.0);
            textureStore(o, g.xy, vec4f(d / 255.0, 1.0));
        }";
    let mut plan = Plan::new("compute/blocks of cosines");
    plan.picture = stored(&mut plan, F::Rgba8Unorm, 256);
    let from = picture(&mut plan);
    run(
        &mut plan,
        text,
        vec![from, Resource::Stored(0)],
        [32, 32, 1],
    );
    plan
}

/// Three levels of wavelets of integers, lifted in place: rows, then columns.
fn wavelets() -> Plan {
    let text = |edge: u32, along: u32, across: u32| {
        format!(
            "@group(0) @binding(0) var<storage, read_write> b: array<i32>;
            var<workgroup> s: array<i32, {edge}>;
            fn at(n: i32) -> i32 {{
                let m = abs(n);
                return s[select(m, 2 * {edge} - 2 - m, m >= {edge})];
            }}
            @compute @workgroup_size({half}) fn cs(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) l: u32) {{
                let first = w.x * {across}u;
                let n = i32(l) * 2;
                s[n] = b[first + l * 2u * {along}u];
                s[n + 1] = b[first + (l * 2u + 1u) * {along}u];
                workgroupBarrier();
                let high = s[n + 1] - ((at(n) + at(n + 2)) >> 1u);
                workgroupBarrier();
                s[n + 1] = high;
                workgroupBarrier();
                let low = s[n] + ((at(n - 1) + high + 2) >> 2u);
                b[first + l * {along}u] = low;
                b[first + (l + {half}u) * {along}u] = high;
            }}",
            half = edge / 2
        )
    };
    let fill = "
        @group(0) @binding(0) var<storage, read_write> b: array<i32>;
        @compute @workgroup_size(256) fn cs(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) l: u32) {
            let p = vec2i(vec2u(l, w.x));
            let d = p - 100;
            let ring = (d.x * d.x + d.y * d.y) / 700;
            b[l + w.x * 256u] = p.x / 3 + (ring & 3) * 30 + ((p.x ^ p.y) & 32);
        }";
    let mut plan = empty("compute/wavelets of integers");
    let to = space(&mut plan, 1 << 16);
    run(&mut plan, fill, vec![Resource::Written(to)], [256, 1, 1]);
    for edge in [256, 128, 64] {
        for (along, across) in [(1, 256), (256, 1)] {
            let resources = vec![Resource::Written(to)];
            run(
                &mut plan,
                text(edge, along, across),
                resources,
                [edge, 1, 1],
            );
        }
    }
    let color = "let n = bitcast<i32>(b[at.x / 2u + at.y / 2u * 256u]);
        if all(at < vec2u(64u)) { return vec4f(vec3f(f32(n) / 255.0), 1.0); }
        return vec4f(0.5 + f32(n) / 40.0, 0.5, 0.5 - f32(n) / 40.0, 1.0);";
    shown(&mut plan, to, color);
    plan
}

/// Sums of all texels above and to the left, then means of squares that grow over the picture.
fn sums() -> Plan {
    let text = |load: &str, along: u32, across: u32| {
        format!(
            "@group(0) @binding(0) var t: texture_2d<f32>;
            @group(0) @binding(1) var<storage, read_write> b: array<vec4u>;
            var<workgroup> s: array<vec4u, 256>;
            fn load(l: u32, w: u32) -> vec4u {{ {load} }}
            @compute @workgroup_size(256) fn cs(@builtin(workgroup_id) w: vec3u, @builtin(local_invocation_index) l: u32) {{
                let one = load(l * 2u, w.x);
                let both = one + load(l * 2u + 1u, w.x);
                s[l] = both;
                for (var n = 1u; n < 256u; n *= 2u) {{
                    workgroupBarrier();
                    var before = vec4u();
                    if l >= n {{ before = s[l - n]; }}
                    workgroupBarrier();
                    s[l] += before;
                }}
                let first = w.x * {across}u + l * 2u * {along}u;
                b[first] = s[l] - both + one;
                b[first + {along}u] = s[l];
            }}"
        )
    };
    let rows = text(
        "return vec4u(round(textureLoad(t, vec2u(l, w), 0) * 255.0));",
        1,
        512,
    );
    let columns = text("return b[w + l * 512u];", 512, 1);
    let blurred = "
        @group(0) @binding(0) var<storage, read> b: array<vec4u>;
        fn sum(p: vec2i) -> vec4u {
            if any(p < vec2i()) { return vec4u(); }
            return b[p.x + p.y * 512];
        }
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let p = vec2i(v.at.xy);
            let r = i32(abs(v.at.x - 256.0) / 10.0) + (p.y / 64 & 3);
            let low = max(p - r - 1, vec2i(-1));
            let high = min(p + r, vec2i(511));
            let s = sum(high) - sum(vec2i(low.x, high.y)) - sum(vec2i(high.x, low.y)) + sum(low);
            let area = (high.x - low.x) * (high.y - low.y);
            return vec4f(vec3f(s.rgb) / f32(area * 255), 1.0);
        }";
    let mut plan = empty("compute/table of sums");
    let from = picture(&mut plan);
    let to = space(&mut plan, 1 << 20);
    for text in [rows, columns] {
        let resources = vec![from.clone(), Resource::Written(to)];
        run(&mut plan, text, resources, [512, 1, 1]);
    }
    cover(&mut plan, 0, blurred, vec![Resource::Storage(to)]);
    plan
}

/// How far things have moved between two pictures: each texel is a word of comparisons with its neighbours, and words of
/// strips are compared.
fn census() -> Plan {
    let light = "
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var o: texture_storage_2d<rgba16float, write>;
        fn at(p: vec2i) -> f32 { return dot(textureLoad(t, clamp(p, vec2i(), vec2i(511)), 0).rgb, vec3f(0.25, 0.5, 0.25)); }
        @compute @workgroup_size(16, 16) fn cs(@builtin(global_invocation_id) g: vec3u) {
            let p = vec2i(g.xy) * 2;
            let shift = select(3, 7, (g.x / 48u + g.y / 40u) % 2u == 1u);
            let moved = p - vec2i(shift * 2, 0);
            textureStore(o, g.xy, vec4f(at(p) + at(p + 1), at(moved) + at(moved + 1), 0.0, 1.0));
        }";
    let codes = "
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var o: texture_storage_2d<rg32uint, write>;
        @compute @workgroup_size(16, 16) fn cs(@builtin(global_invocation_id) g: vec3u) {
            let p = vec2i(g.xy);
            let here = textureLoad(t, p, 0).rg;
            var code = vec2u();
            for (var y = -2; y <= 2; y++) {
                for (var x = -2; x <= 2; x++) {
                    if x == 0 && y == 0 { continue; }
                    let e = textureLoad(t, clamp(p + vec2i(x, y), vec2i(), vec2i(textureDimensions(t)) - 1), 0).rg;
                    code = code << vec2u(1u) | select(vec2u(), vec2u(1u), e > here);
                }
            }
            textureStore(o, p, vec4u(code, 0u, 0u));
        }";
    let moves = "
        @group(0) @binding(0) var t: texture_2d<u32>;
        @group(0) @binding(1) var o: texture_storage_2d<r32uint, write>;
        @compute @workgroup_size(16, 16) fn cs(@builtin(global_invocation_id) g: vec3u) {
            let p = vec2i(g.xy);
            var mine: array<u32, 5>;
            for (var k = 0; k < 5; k++) { mine[k] = textureLoad(t, clamp(p + vec2i(0, k - 2), vec2i(), vec2i(255)), 0).g; }
            var best = 0xffffffffu;
            for (var shift = 0; shift < 12; shift++) {
                var cost = 0u;
                for (var k = 0; k < 5; k++) {
                    let other = textureLoad(t, clamp(p + vec2i(-shift, k - 2), vec2i(), vec2i(255)), 0).r;
                    cost += countOneBits(other ^ mine[k]);
                }
                best = min(best, cost << 8u | u32(shift));
            }
            textureStore(o, p, vec4u(best, 0u, 0u, 0u));
        }";
    let drawn = "
        @group(0) @binding(0) var t: texture_2d<u32>;
        @fragment fn fs(v: V) -> @location(0) vec4f {
            let n = textureLoad(t, vec2u(v.at.xy) / 2u, 0).r;
            return vec4f(f32(n & 255u) / 11.0, f32(n >> 8u) / 60.0, 0.2, 1.0);
        }";
    let mut plan = empty("compute/moves by census");
    let from = picture(&mut plan);
    let [lights, words, best] =
        [F::Rgba16Float, F::Rg32Uint, F::R32Uint].map(|format| stored(&mut plan, format, 256));
    let whole = TextureSampleType::Uint;
    let steps = [
        (light, from, lights),
        (codes, Resource::Texture(lights, FILTERED), words),
        (moves, Resource::Texture(words, whole), best),
    ];
    for (text, from, to) in steps {
        run(
            &mut plan,
            text,
            vec![from, Resource::Stored(to)],
            [16, 16, 1],
        );
    }
    cover(&mut plan, 0, drawn, vec![Resource::Texture(best, whole)]);
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![fourier(), cosines(), wavelets(), sums(), census()]
}
