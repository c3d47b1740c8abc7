//! Geometry stages: what they take, loops, ends of strips, more vertices than there may be.

/// What most stages exchange.
pub const PRELUDE: &str = "
enable primitive_index;
enable clip_distances;
struct In {
    @builtin(position) pos: vec4f,
    @location(0) col: vec4f,
    @location(1) @interpolate(flat) n: vec2u,
}
struct Out { @builtin(position) pos: vec4f, @location(0) col: vec3f, @location(1) @interpolate(flat) id: u32 }
struct Sys { @builtin(primitive_index) prim: u32, invocation: u32 }
fn emit_vertex(v: Out) {}
fn end_primitive() {}
fn out(v: In, id: u32) -> Out { return Out(v.pos, v.col.xyz, id); }
";

/// Names and texts.
#[rustfmt::skip]
pub const SHADERS: &[(&str, &str)] = &[
    ("copy", "
const gs_max_vertices = 3u;
fn gs(v: array<In, 3>, s: Sys) {
    for (var i = 0u; i < 3u; i++) { emit_vertex(out(v[i], s.prim)); }
    end_primitive();
}"),
    ("nothing", "
const gs_max_vertices = 1u;
fn gs(v: array<In, 2>) {}"),
    ("cuts_alone", "
const gs_max_vertices = 1u;
fn gs(v: array<In, 1>) { end_primitive(); end_primitive(); }"),
    ("a_point_for_some", "
const gs_max_vertices = 1u;
fn gs(v: array<In, 1>, s: Sys) { if v[0].n.x > 11u { emit_vertex(out(v[0], s.prim)); } }"),
    ("as_many_as_a_number_says", "
const gs_max_vertices = 29u;
fn gs(v: array<In, 1>, s: Sys) {
    for (var i = 0u; i < v[0].n.x; i++) { emit_vertex(Out(v[0].pos * f32(i), v[0].col.zyx, i)); }
}"),
    ("more_than_there_may_be", "
const gs_max_vertices = 7u;
fn gs(v: array<In, 1>, s: Sys) {
    for (var i = 0u; i < v[0].n.x; i++) { emit_vertex(out(v[0], i)); if (i & 1u) == 1u { end_primitive(); } }
    emit_vertex(out(v[0], 77u));
}"),
    ("strips_of_all_lengths", "
const gs_max_vertices = 40u;
fn gs(v: array<In, 3>, s: Sys) {
    for (var strip = 0u; strip < v[0].n.y % 5u; strip++) {
        for (var i = 0u; i < strip + v[1].n.x % 3u; i++) { emit_vertex(out(v[i % 3u], strip * 16u + i)); }
        end_primitive();
    }
}"),
    ("early_return", "
const gs_max_vertices = 3u;
fn gs(v: array<In, 3>, s: Sys) {
    let a = v[1].pos.xy - v[0].pos.xy;
    let b = v[2].pos.xy - v[0].pos.xy;
    if a.x * b.y - a.y * b.x < 0.0 { return; }
    for (var i = 0u; i < 3u; i++) {
        if v[i].n.x == 3u { return; }
        emit_vertex(out(v[i], i));
    }
    end_primitive();
}"),
    ("helpers_emit", "
const gs_max_vertices = 12u;
fn corner(v: In, at: vec2f, id: u32) { emit_vertex(Out(v.pos + vec4f(at, 0.0, 0.0), v.col.xyz, id)); }
fn quad(v: In, size: f32) {
    corner(v, vec2f(-size, -size), 0u); corner(v, vec2f(size, -size), 1u);
    corner(v, vec2f(-size, size), 2u); corner(v, vec2f(size, size), 3u);
    end_primitive();
}
fn gs(v: array<In, 1>, s: Sys) {
    quad(v[0], 0.5);
    if v[0].n.x > 5u { quad(v[0], 0.25); }
    if v[0].n.x > 9u && v[0].n.y < 20u { quad(v[0], v[0].col.w); }
}"),
    ("helpers_of_helpers", "
const gs_max_vertices = 20u;
fn one(v: In, id: u32) -> bool { if id > v.n.y { return false; } emit_vertex(out(v, id)); return true; }
fn some(v: In, count: u32) -> u32 {
    var done = 0u;
    for (var i = 0u; i < count; i++) { if !one(v, i * 3u) { break; } done++; }
    end_primitive();
    return done;
}
fn gs(v: array<In, 2>, s: Sys) {
    let first = some(v[0], 4u);
    let second = some(v[1], first + 1u);
    if first < second { emit_vertex(out(v[0], first * 100u + second)); }
}"),
    ("lines_with_neighbours", "
const gs_max_vertices = 4u;
fn gs(v: array<In, 4>, s: Sys) {
    let along = v[2].pos - v[1].pos;
    let before = v[1].pos - v[0].pos;
    let after = v[3].pos - v[2].pos;
    emit_vertex(Out(v[1].pos - before * 0.25, v[1].col.xyz, v[0].n.x));
    emit_vertex(Out(v[1].pos + along * 0.5, v[0].col.xyz + v[3].col.xyz, v[3].n.y));
    emit_vertex(Out(v[2].pos + after * 0.25, v[2].col.xyz, v[2].n.x));
}"),
    ("triangles_with_neighbours", "
const gs_max_vertices = 9u;
fn gs(v: array<In, 6>, s: Sys) {
    for (var i = 0u; i < 6u; i += 2u) {
        let next = (i + 2u) % 6u;
        if v[i].pos.z + v[next].pos.z < v[i + 1u].pos.z { continue; }
        emit_vertex(out(v[i], i)); emit_vertex(out(v[i + 1u], i + 1u)); emit_vertex(out(v[next], next));
        end_primitive();
    }
}"),
    ("numbers_of_primitive_and_invocation", "
const gs_max_vertices = 3u;
fn gs(v: array<In, 1>, s: Sys) {
    emit_vertex(out(v[0], s.prim * 64u + s.invocation));
    if (s.prim & 1u) == 1u { emit_vertex(out(v[0], s.prim)); end_primitive(); }
    if s.invocation == s.prim % 5u { emit_vertex(out(v[0], 1000u)); }
}"),
    ("system_first", "
const gs_max_vertices = 2u;
fn gs(s: Sys, v: array<In, 2>) { emit_vertex(out(v[s.prim & 1u], s.prim)); emit_vertex(out(v[v[0].n.x & 1u], 9u)); }"),
    ("vertices_by_number", "
const gs_max_vertices = 8u;
fn gs(v: array<In, 3>, s: Sys) {
    var all = v;
    for (var i = 0u; i < 8u; i++) {
        let at = (v[0].n.x + i * v[1].n.y) % 3u;
        all[at].pos.x += 0.5;
        emit_vertex(out(all[(at + i) % 3u], at));
    }
}"),
    ("private_arrays", "
const gs_max_vertices = 10u;
fn gs(v: array<In, 1>, s: Sys) {
    var heights: array<f32, 40>;
    for (var i = 0u; i < 40u; i++) { heights[i] = v[0].pos.y * f32(i ^ v[0].n.x); }
    heights[v[0].n.y] = -1.0;
    for (var i = 0u; i < 10u; i++) { emit_vertex(Out(vec4f(heights[(i * 7u + v[0].n.y) % 40u]), v[0].col.xyz, i)); }
}"),
    ("long_arrays", "
const gs_max_vertices = 4u;
fn gs(v: array<In, 1>, s: Sys) {
    var seen: array<u32, 400>;
    for (var i = 0u; i < 400u; i += 3u) { seen[i] = i * v[0].n.x; }
    seen[v[0].n.y * 13u] += 5u;
    for (var i = 0u; i < 4u; i++) { emit_vertex(out(v[0], seen[(v[0].n.y * 13u + i * 3u) % 400u])); }
}"),
    ("global_variables", "
var<private> count: u32 = 3u;
var<private> shift: vec4f;
const gs_max_vertices = 9u;
fn put(v: In) { count += v.n.x; emit_vertex(Out(v.pos + shift, v.col.xyz, count)); shift.x += 1.0; }
fn gs(v: array<In, 3>, s: Sys) {
    for (var round = 0u; round < 3u; round++) { for (var i = 0u; i < 3u; i++) { put(v[i]); } }
}"),
    ("switch", "
const gs_max_vertices = 6u;
fn gs(v: array<In, 2>, s: Sys) {
    switch v[0].n.x % 5u {
        case 0u: { emit_vertex(out(v[0], 10u)); }
        case 1u, 2u: { emit_vertex(out(v[1], 20u)); emit_vertex(out(v[0], 21u)); end_primitive(); }
        case 3u: { for (var i = 0u; i < v[1].n.y % 4u; i++) { emit_vertex(out(v[i & 1u], 30u + i)); } }
        default: { return; }
    }
    emit_vertex(out(v[1], 99u));
}"),
    ("loops_in_loops", "
const gs_max_vertices = 64u;
fn gs(v: array<In, 2>, s: Sys) {
    var left = v[0].n.x;
    loop {
        if left == 0u { break; }
        var inner = left;
        while inner > 2u {
            inner -= 3u;
            if inner == v[1].n.y { continue; }
            emit_vertex(Out(mix(v[0].pos, v[1].pos, f32(inner) * 0.125), v[0].col.xyz, left * 64u + inner));
        }
        end_primitive();
        continuing { left = left / 2u; }
    }
}"),
    ("layers_viewports_sizes", "
struct Full {
    layer: u32, @location(2) a: f32, @builtin(position) pos: vec4f, viewport_index: u32, point_size: f32,
    @location(0) b: vec2f, @location(7) @interpolate(flat) c: vec4i,
}
fn gs_emit_vertex(v: Full) {}
fn gs_end_primitive() {}
const gs_max_vertices = 4u;
fn gs(v: array<In, 1>, s: Sys) {
    for (var i = 0u; i < v[0].n.x % 5u; i++) {
        gs_emit_vertex(Full(i, v[0].col.x, v[0].pos, v[0].n.y % 16u, 2.0, v[0].col.yz, vec4i(i32(i)) - 7));
        gs_end_primitive();
    }
}"),
    ("bare_positions", "
struct Bare { @builtin(position) pos: vec4f }
fn gs_emit_vertex(v: Bare) {}
const gs_max_vertices = 256u;
fn gs(v: array<In, 1>, s: Sys) {
    for (var i = 0u; i < v[0].n.x * v[0].n.y; i++) { gs_emit_vertex(Bare(v[0].pos + f32(i))); }
}"),
    ("many_words", "
struct Wide {
    @builtin(position) pos: vec4f, @location(0) a: vec4f, @location(1) b: vec4f, @location(2) c: vec4f,
    @location(3) d: vec3f, @location(4) e: vec3f, @location(5) f: vec2f, @location(6) g: f32,
    @builtin(clip_distances) clip: array<f32, 3>,
}
fn gs_emit_vertex(v: Wide) {}
fn gs_end_primitive() {}
const gs_max_vertices = 36u;
fn gs(v: array<In, 3>, s: Sys) {
    for (var i = 0u; i < 12u + v[0].n.x % 25u; i++) {
        let w = v[i % 3u];
        let f = w.pos * f32(i);
        gs_emit_vertex(Wide(f, w.col, f.yzwx, w.col.wzyx, f.xyz, w.col.xyz, f.zw, f.y, array(f.x, w.col.x, 1.0)));
        if i % 7u == 6u { gs_end_primitive(); }
    }
}"),
    ("far_records", "
struct Wide { @builtin(position) pos: vec4f, @location(0) a: f32 }
fn gs_emit_vertex(v: Wide) {}
const gs_max_vertices = 200u;
fn gs(v: array<In, 1>, s: Sys) {
    var x = v[0].pos.x;
    for (var i = 0u; i < 200u; i++) { x = x * 0.5 + v[0].col.y; gs_emit_vertex(Wide(vec4f(x), f32(i))); }
}"),
    ("arithmetic", "
const gs_max_vertices = 5u;
fn gs(v: array<In, 3>, s: Sys) {
    let middle = (v[0].pos + v[1].pos + v[2].pos) / 3.0;
    let normal = cross(v[1].pos.xyz - v[0].pos.xyz, v[2].pos.xyz - v[0].pos.xyz);
    for (var i = 0u; i < 3u; i++) {
        let at = mix(v[i].pos, middle, 0.25);
        emit_vertex(Out(vec4f(floor(at.xyz), at.w), max(normal, v[i].col.xyz), u32(abs(at.x)) ^ v[i].n.x));
    }
    if dot(normal, normal) > 100.0 { end_primitive(); emit_vertex(Out(middle, sign(normal), 5u)); }
    emit_vertex(Out(min(middle, vec4f(1.0)), -normal, select(1u, 2u, normal.z > 0.0)));
}"),
];
