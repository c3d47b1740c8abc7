#version 450
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 color;
void main() {
    int i = 0;
    // Ends for killed invocations only by being killed.
    while (true) {
        if (n.x > 40) discard;
        if (i == (n.x & 7)) break;
        i++;
    }
    for (int k = 0; k != (n.x > 40 ? -1 : 3); k++) i += k;
    color = ivec4(i);
}
