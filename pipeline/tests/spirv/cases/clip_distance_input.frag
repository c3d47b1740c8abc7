#version 450
//= 0.25 0.5 ; 1.0 2.0 3.0 4.0 ; 5.0 -> 0.25 0.5 4.0 5.0
in float gl_ClipDistance[2];
in float gl_CullDistance[5];
layout(location = 0) out vec4 c;
void main() { c = vec4(gl_ClipDistance[0], gl_ClipDistance[1], gl_CullDistance[3], gl_CullDistance[4]); }
