#version 450
//= 1.0 0.0 -1.0 2.0 -> 32767 2147450881 0 0
//= -3.0 1.0 0.0 -1.0 -> 2147450881 2147549184 0 0
layout(location = 0) in vec4 v;
layout(location = 0) out uvec4 r;
void main() {
    r = uvec4(packSnorm2x16(v.xy), packSnorm2x16(v.zw), 0, 0);
}
