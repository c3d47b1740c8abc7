#version 450
// Everything that a vertex has, there and back: distances, sizes, the viewport and the number of the primitive.
layout(triangles_adjacency) in;
layout(points, max_vertices = 6) out;
in gl_PerVertex {
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[5];
    float gl_CullDistance[1];
} gl_in[];
out gl_PerVertex {
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[2];
    float gl_CullDistance[1];
};
in Block { layout(location = 2, component = 1) vec2 pair; layout(location = 3) mat2 turned; layout(location = 5) int number; } block[];
layout(location = 0) out vec4 first;
layout(location = 1) out vec4 second;

void main() {
    for (int i = 5; i >= 0; i--) {
        gl_Position = gl_in[i].gl_Position;
        gl_PointSize = gl_in[i].gl_PointSize;
        gl_ClipDistance[0] = gl_in[i].gl_ClipDistance[4];
        gl_ClipDistance[1] = gl_in[i].gl_ClipDistance[i % 4];
        gl_CullDistance[0] = gl_in[i].gl_CullDistance[0];
        gl_ViewportIndex = i;
        gl_PrimitiveID = gl_PrimitiveIDIn + 100;
        first = vec4(block[i].pair, block[i].turned[1]);
        second = vec4(block[i].number);
        EmitVertex();
    }
}
