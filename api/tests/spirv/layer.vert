#version 450
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) flat out uint number;
void main() {
    gl_Layer = 2 * gl_InstanceIndex;
    number = gl_InstanceIndex + 1;
    gl_Position = vec4(float(gl_VertexIndex & 1) * 4.0 - 1.0, float(gl_VertexIndex >> 1) * 4.0 - 1.0, 0.5, 1.0);
}
