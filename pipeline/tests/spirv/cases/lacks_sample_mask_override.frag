#version 450
#extension GL_NV_sample_mask_override_coverage : require
//: lacks the capability SampleMaskOverrideCoverageNV
layout(override_coverage) out int gl_SampleMask[];
layout(location = 0) out vec4 color;
void main() {
    color = vec4(1.0);
    gl_SampleMask[0] = 1;
}
