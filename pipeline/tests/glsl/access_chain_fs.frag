#version 450 core
struct Leaf {
    vec3 weights[2];
    float scale;
};
struct Tree {
    Leaf leaves[3];
    mat3x3 turn;
};
layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) flat in ivec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    ivec4 n = _vs2fs_location1;
    Tree tree = Tree(Leaf[3](Leaf(vec3[2](vec3(0.0), vec3(0.0)), 0.0), Leaf(vec3[2](vec3(0.0), vec3(0.0)), 0.0), Leaf(vec3[2](vec3(0.0), vec3(0.0)), 0.0)), mat3x3(0.0));
    tree.leaves[1].weights[1].y = a.x;
    tree.leaves[(n.x & 1)].weights[0] = a.yzw;
    tree.leaves[2].scale = a.w;
    tree.turn[1] = a.xyz;
    float _e27 = tree.turn[2][2];
    tree.turn[2][2] = (_e27 + a.w);
    Leaf leaf = tree.leaves[1];
    float _e42 = tree.leaves[2].scale;
    float _e46 = tree.turn[1][2];
    float _e50 = tree.turn[2][2];
    _fs2p_location0 = vec4(leaf.weights[1].y, leaf.weights[0].x, _e42, (_e46 + _e50));
    return;
}

