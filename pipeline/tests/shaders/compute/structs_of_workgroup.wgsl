@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;
struct Inner { at: vec3f, on: bool, list: array<u32, 3> }
struct Item { inner: Inner, size: vec2f, more: array<Inner, 2> }
var<workgroup> items: array<Item, 70>;
@compute @workgroup_size(70) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    let x = input[me + group];
    items[me].inner.at = vec3f(x, x + 1.0, x + 2.0);
    items[me].inner.on = x > 0.0;
    items[me].inner.list[me % 3u] = me;
    items[me].more[me & 1u].at.y = x * 3.0;
    items[me].size = vec2f(f32(me), x);
    workgroupBarrier();
    let copy = items[69u - me];
    workgroupBarrier();
    items[me].more[1] = copy.inner;
    workgroupBarrier();
    let other = items[(me + 1u) % 70u];
    var sum = dot(copy.inner.at, vec3f(1.0, 0.5, 0.25)) + copy.size.x;
    if copy.inner.on { sum += 100.0; }
    if other.more[1].on { sum += 1000.0; }
    sum += f32(other.more[1].list[me % 3u]) + other.more[0].at.y + copy.more[0].at.y;
    output[70u * group + me] = sum;
}
