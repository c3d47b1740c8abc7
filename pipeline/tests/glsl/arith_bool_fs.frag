#version 450 core
layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) smooth in vec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    vec4 b = _vs2fs_location1;
    bool local = false;
    bool local_1 = false;
    bvec4 x = lessThan(a, b);
    bvec4 y = greaterThan(a.wzyx, b);
    bvec4 z = bvec4(bvec4(x.x && y.x, x.y && y.y, x.z && y.z, x.w && y.w).x || not(x).x, bvec4(x.x && y.x, x.y && y.y, x.z && y.z, x.w && y.w).y || not(x).y, bvec4(x.x && y.x, x.y && y.y, x.z && y.z, x.w && y.w).z || not(x).z, bvec4(x.x && y.x, x.y && y.y, x.z && y.z, x.w && y.w).w || not(x).w);
    if (z.x) {
        local = y.y;
    } else {
        local = false;
    }
    bool _e13 = local;
    if (!(z.z)) {
        local_1 = !(y.w);
    } else {
        local_1 = true;
    }
    bool _e21 = local_1;
    bool w = ((x.x == y.x) ? _e21 : _e13);
    _fs2p_location0 = ((((mix(a, b, z) + vec4(float(w))) + vec4(float(all(x)))) + vec4((2.0 * float(any(y))))) + vec4(float((x.y != y.z))));
    return;
}

