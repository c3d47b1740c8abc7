#version 450
#extension GL_ARB_fragment_shader_interlock : require
//: lacks the execution mode PixelInterlockOrderedEXT
layout(pixel_interlock_ordered) in;
layout(set = 0, binding = 0) buffer Sum { uint sum; };
layout(location = 0) out vec4 color;
void main() {
    beginInvocationInterlockARB();
    sum += 1;
    endInvocationInterlockARB();
    color = vec4(1.0);
}
