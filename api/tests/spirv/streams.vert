#version 450
layout(xfb_buffer = 2, xfb_stride = 40) out;
layout(location = 0, xfb_buffer = 2, xfb_offset = 8) out vec2 pair;
layout(location = 1, component = 1) out float beside;
layout(location = 2, xfb_buffer = 0, xfb_stride = 20, xfb_offset = 4) out mat2 both;
layout(xfb_buffer = 2) out gl_PerVertex { layout(xfb_offset = 16) vec4 gl_Position; float gl_PointSize; };
void main() {
    float n = float(gl_VertexIndex);
    pair = vec2(n, n * 2.0);
    beside = n;
    both = mat2(n, n + 0.25, n + 0.5, n + 0.75);
    gl_Position = vec4(n, 0.5, 0.25, 1.0);
    gl_PointSize = 1.0;
}
