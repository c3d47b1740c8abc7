#version 450
// Colours of the ends of a line, at the place on it that is nearest to the middle of the pixel: the driver goes along the
// longer axis.
layout(push_constant) uniform Window { vec2 size; } window;
layout(location = 0) flat in vec4 start;
layout(location = 1) flat in vec4 end;
layout(location = 0) out vec4 result;
vec2 place(vec4 clip) {
    // Corners are rounded so on both sides.
    return round((clip.xy / clip.w * vec2(0.5, -0.5) + 0.5) * window.size * 256.0) / 256.0;
}
void main() {
    vec2 from = place(start), along = place(end) - from;
    float t = dot(gl_FragCoord.xy - from, along) / dot(along, along);
    float near = (1.0 - t) / start.w, far = t / end.w;
    result = vec4((near * vec3(0.1, 0.4, 0.9) + far * vec3(1.0, 0.9, 0.3)) / (near + far), 1.0);
}
