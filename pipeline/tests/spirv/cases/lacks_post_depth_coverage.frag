#version 450
#extension GL_ARB_post_depth_coverage : require
//: lacks the execution mode PostDepthCoverage
layout(post_depth_coverage) in;
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_SampleMaskIn[0]); }
