#version 450
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 color;
void main() {
    int sum = 0, i = 0;
    for (; i < 20; i++) {
        switch ((i + n.x) & 7) {
        case 0: continue;
        case 1: sum += 10; break;
        case 2: sum += 100;
        case 3: sum += 1; break;
        case 5: if (i > 3) { sum += 1000; } else { break; }
        default: sum += 7;
        }
        if (sum > n.y) break;
        for (int k = 0; k < 3; k++) {
            switch (k) { case 1: if (n.z > 0) continue; else break; }
            sum += 2;
        }
    }
    color = ivec4(sum, i, 0, 1);
}
