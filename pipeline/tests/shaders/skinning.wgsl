// Vertex skinning: matrices of a storage buffer chosen by attributes.
@group(0) @binding(0) var<storage, read> bones: array<mat4x4f>;
@group(0) @binding(1) var<uniform> view: mat4x4f;

@vertex
fn vs(@location(0) position: vec3f, @location(1) joints: vec4u, @location(2) weights: vec4f) -> @builtin(position) vec4f {
    var skin = mat4x4f();
    for (var i = 0; i < 4; i++) {
        skin += bones[joints[i]] * weights[i];
    }
    return view * (skin * vec4f(position, 1.0));
}
