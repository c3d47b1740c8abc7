#version 450
#extension GL_EXT_shader_realtime_clock : require
//: lacks OpReadClockKHR
layout(location = 0) out uvec4 color;
void main() { color = uvec4(clockRealtime2x32EXT(), 0, 0); }
