// Members, elements and components reached through one another, read and written.
struct Leaf { weights: array<vec3f, 2>, scale: f32 }
struct Tree { leaves: array<Leaf, 3>, turn: mat3x3f }
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var tree: Tree;
    tree.leaves[1].weights[1].y = a.x;
    tree.leaves[n.x & 1].weights[0] = a.yzw;
    tree.leaves[2].scale = a.w;
    tree.turn[1] = a.xyz;
    tree.turn[2].z += a.w;
    let leaf = tree.leaves[1];
    return vec4f(leaf.weights[1].y, leaf.weights[0].x, tree.leaves[2].scale, tree.turn[1].z + tree.turn[2][2]);
}
