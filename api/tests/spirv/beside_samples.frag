#version 450
layout(location = 1) noperspective in vec2 flat_at;
layout(location = 0) out vec4 color;
void main() {
    vec2 middle = floor(gl_FragCoord.xy) + 0.5;
    float expected = middle.x / 16.0 + (8.0 - middle.y) / 8.0;
    float error = abs(interpolateAtOffset(flat_at.x, vec2(0.0)) - expected);
    error += abs(interpolateAtSample(flat_at.x, gl_SampleID) - flat_at.x);
    color = vec4(error * 16.0, 1.0, 0.0, 1.0);
}
