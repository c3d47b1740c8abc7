#version 450
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 color;
int search(int key) {
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++) {
            if (i * j == key) return i * 10 + j;
            if (j > i) break;
        }
    }
    if (key < 0) return -1;
    int twice = key * 2;
    if (twice > 50) { return twice; }
    return twice + 1;
}
void main() {
    color = ivec4(search(n.x), search(n.y), n.z, 1);
    if (n.z == 0) return;
    color.z = search(n.z) + 3;
}
