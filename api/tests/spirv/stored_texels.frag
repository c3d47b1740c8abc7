#version 450
layout(set = 0, binding = 0, rgba8) uniform imageBuffer colors;
layout(set = 0, binding = 1, r32ui) uniform uimageBuffer words;
layout(location = 0) out vec4 color;
void main() {
    int at = int(gl_FragCoord.x) + 8 * int(gl_FragCoord.y);
    // Odd texels go one place down; the last has no place and is dropped.
    if ((at & 1) == 1) imageStore(colors, at + 1, imageLoad(colors, at) + vec4(0.0, 0.2, 0.0, 0.0));
    imageStore(words, at, imageLoad(words, at) * 3u + uint(imageSize(words)));
    color = imageLoad(colors, 1000);
}
