#version 450
layout(location = 0) in vec4 a;
layout(location = 1) flat in uvec4 n;
layout(location = 0) out uvec4 color;
void main() {
    float whole; float part = modf(a.x, whole);
    int exponent; float mantissa = frexp(a.y, exponent);
    uint carry; uint sum = uaddCarry(n.x, n.y, carry);
    uint borrow; uint rest = usubBorrow(n.x, n.y, borrow);
    uint high, low; umulExtended(n.x, n.y, high, low);
    int ih, il; imulExtended(int(n.x), int(n.y), ih, il);
    color = uvec4(floatBitsToUint(part) ^ floatBitsToUint(whole), floatBitsToUint(ldexp(mantissa, exponent)),
        sum ^ (carry << 1) ^ (rest * 3u) ^ (borrow << 7), high ^ (low * 5u) ^ (uint(ih) * 7u) ^ uint(il));
}
