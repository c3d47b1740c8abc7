#version 450 core
layout(location = 0) flat in uvec4 _vs2fs_location0;
layout(location = 0) out uvec4 _fs2p_location0;

void main() {
    uvec4 n = _vs2fs_location0;
    uint grid[3][3] = uint[3][3](uint[3](0u, 0u, 0u), uint[3](0u, 0u, 0u), uint[3](0u, 0u, 0u));
    uint y = 0u;
    uint x = 0u;
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            uint _e27 = y;
            y = (_e27 + 1u);
        }
        loop_init = false;
        uint _e4 = y;
        if ((_e4 < 3u)) {
        } else {
            break;
        }
        {
            x = 0u;
            bool loop_init_1 = true;
            while(true) {
                if (!loop_init_1) {
                    uint _e24 = x;
                    x = (_e24 + 1u);
                }
                loop_init_1 = false;
                uint _e9 = x;
                if ((_e9 < 3u)) {
                } else {
                    break;
                }
                {
                    uint _e12 = y;
                    uint _e14 = x;
                    uint _e16 = y;
                    uint _e19 = x;
                    grid[_e12][_e14] = (((_e16 * 3u) + _e19) + n.w);
                }
            }
        }
    }
    grid[(n.x % 3u)][(n.y % 3u)] = 100u;
    uint _e42 = grid[n.x][n.y];
    uint _e51 = grid[(n.y % 3u)][(n.z % 3u)];
    uint _e57 = grid[2][(n.x % 3u)];
    uint _e60 = grid[1][1];
    _fs2p_location0 = uvec4(_e42, _e51, _e57, _e60);
    return;
}

