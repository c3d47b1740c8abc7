#version 450
#extension GL_EXT_fragment_shader_barycentric : require
// Red: weights with perspective give the interpolated value; green: linear ones; blue: bits of vertices are whole.
layout(location = 0) in vec3 smoothed;
layout(location = 1) noperspective in vec2 linear;
layout(location = 2) pervertexEXT in vec3 colors[3];
layout(location = 3) pervertexEXT in vec2 flats[3];
layout(location = 4) pervertexEXT in uint numbers[3];
layout(location = 0) out vec4 color;

void main() {
    vec3 b = gl_BaryCoordEXT;
    vec3 n = gl_BaryCoordNoPerspEXT;
    vec3 sum = vec3(0.0);
    vec2 flat_sum = vec2(0.0);
    bool whole = true;
    for (int i = 0; i < 3; i++) {
        if (b[i] != 0.0) {
            sum += b[i] * colors[i];
            flat_sum += n[i] * flats[i];
            whole = whole && numbers[i] == 0xfe80ba98u + 0x01010101u * uint(i);
        }
    }
    bool near = all(lessThan(abs(sum - smoothed), vec3(1e-4)));
    bool flat_near = all(lessThan(abs(flat_sum - linear), vec2(1e-4)));
    color = vec4(near ? 1.0 : 0.0, flat_near ? 1.0 : 0.0, whole ? 1.0 : 0.0, 1.0);
}
