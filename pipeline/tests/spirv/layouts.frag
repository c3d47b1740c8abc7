#version 450
layout(location = 0) flat in ivec4 n;
layout(location = 0) out vec4 color;
struct Inner { vec2 a; mat3x2 m; };
layout(row_major, std140, set = 0, binding = 0) uniform Rows { mat4x3 m; mat2 small[2]; Inner inner; };
layout(column_major, std430, set = 0, binding = 1) readonly buffer Columns { mat3 c; float loose[]; };
void main() {
    color = vec4(m[n.x & 3][1] + inner.m[2].y, small[1][0][1] + (m * vec4(1, 2, 3, 4)).z,
        c[n.y & 1].z + loose[n.x & 3], float(loose.length()));
}
