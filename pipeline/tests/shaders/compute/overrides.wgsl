override WIDTH: u32 = 48u;
override HALF = WIDTH / 2u;
override ROUNDS = 3u;
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> cells: array<u32, WIDTH>;
var<workgroup> pairs: array<vec2u, HALF>;
@compute @workgroup_size(WIDTH, 2) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    if me < WIDTH { cells[me] = input[me]; }
    if me < HALF { pairs[me] = vec2u(me, input[me + 1u]); }
    workgroupBarrier();
    var sum = 0u;
    for (var i = 0u; i < ROUNDS; i++) { sum += cells[(me + i) % WIDTH] + pairs[(me * i) % HALF].y; }
    output[100u * group + me] = sum;
}
