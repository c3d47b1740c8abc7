#version 450
layout(constant_id = 3) const int count = 4;
layout(constant_id = 5) const float scale = 2.5;
layout(constant_id = 7) const bool more = false;
const int twice = count * 2 + (more ? 1 : 0);
layout(location = 0) flat in ivec4 n;
layout(location = 0) out vec4 color;
void main() {
    float values[twice];
    for (int i = 0; i < twice; i++) values[i] = float(i * n.x) * scale;
    color = vec4(values[n.y & 3], values[twice - 1], float(values.length()), scale);
}
