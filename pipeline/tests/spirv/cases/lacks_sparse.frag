#version 450
#extension GL_ARB_sparse_texture2 : require
//: lacks OpImageSparseSampleImplicitLod
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() {
    vec4 texel;
    int code = sparseTextureARB(image, vec2(0.5), texel);
    color = sparseTexelsResidentARB(code) ? texel : vec4(0.0);
}
