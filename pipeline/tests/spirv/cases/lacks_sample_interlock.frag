#version 450
#extension GL_ARB_fragment_shader_interlock : require
//: lacks the execution mode SampleInterlockUnorderedEXT
layout(sample_interlock_unordered) in;
layout(set = 0, binding = 0) buffer Sum { uint sum; };
layout(location = 0) out vec4 color;
void main() {
    beginInvocationInterlockARB();
    sum += 1;
    endInvocationInterlockARB();
    color = vec4(1.0);
}
