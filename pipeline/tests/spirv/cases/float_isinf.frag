#version 450
//= 1.0 inf NaN -inf -> 0 1 1 1
//= -inf 0.0 1.0 NaN -> 1 0 0 0
layout(location = 0) in vec4 v;
layout(location = 0) out ivec4 r;
void main() {
    r = ivec4(isinf(v.x), isinf(v.y), isnan(v.z), isinf(v.w));
}
