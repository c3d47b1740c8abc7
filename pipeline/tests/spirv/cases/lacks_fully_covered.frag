#version 450
#extension GL_NV_conservative_raster_underestimation : require
//: lacks FullyCoveredEXT
layout(location = 0) out vec4 color;
void main() { color = gl_FragFullyCoveredNV ? vec4(1.0) : vec4(0.5); }
