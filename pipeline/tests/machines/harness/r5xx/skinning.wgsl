// Vertex skinning with as many matrices as a chip without memory for programs holds, four for each vertex.
struct Bones {
    matrices: array<mat4x4f, 24>,
}
struct Vertex {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) joints: vec4u,
    @location(3) weights: vec4f,
}
struct Out {
    @builtin(position) position: vec4f,
    @location(0) normal: vec3f,
    @location(1) tint: vec4f,
}
@group(0) @binding(0) var<uniform> bones: Bones;
@group(0) @binding(1) var<uniform> view: mat4x4f;
@group(0) @binding(2) var<uniform> palette: array<vec4f, 16>;

@vertex
fn vs(v: Vertex) -> Out {
    var skin = mat4x4f();
    for (var i = 0; i < 4; i++) {
        skin += bones.matrices[min(v.joints[i], 23u)] * v.weights[i];
    }
    let at = skin * vec4f(v.position, 1.0);
    let n = normalize((skin * vec4f(v.normal, 0.0)).xyz);
    return Out(view * at, n, palette[v.joints.x & 15u]);
}
