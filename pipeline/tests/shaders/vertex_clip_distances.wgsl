// Clip distances.
enable clip_distances;

struct Out {
    @builtin(position) position: vec4f,
    @builtin(clip_distances) distances: array<f32, 3>,
}

@vertex
fn vs(@location(0) a: vec4f) -> Out {
    return Out(a, array(a.x, a.y - 0.5, dot(a, a)));
}
