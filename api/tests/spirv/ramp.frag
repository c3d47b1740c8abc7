#version 450
layout(location = 0) out vec4 color;
void main() { color = vec4(floor(gl_FragCoord.xy) / 8.0, 0.0, 1.0); }
