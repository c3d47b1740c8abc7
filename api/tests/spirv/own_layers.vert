#version 450
#extension GL_ARB_shader_viewport_layer_array : require
// Everything of the layer that is the instance's number.
void main() {
    gl_Layer = gl_InstanceIndex;
    gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.5, 1.0);
}
