// Pointers to variables of every address space, and to their parts.
struct Node { value: f32, next: array<i32, 3> }
@group(0) @binding(0) var<storage, read_write> nodes: array<Node, 4>;
@group(0) @binding(1) var<storage> start: Node;
var<private> current: Node;
fn value_of(p: ptr<private, Node>) -> f32 { return (*p).value + f32((*p).next[1]); }
fn put(p: ptr<function, array<i32, 3>>, i: i32) { (*p)[i & 1] = i; }
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let node = &nodes[n.x & 3];
    (*node).value = a.x;
    let link = &(*node).next[n.y & 1];
    *link = (*link & 3) + 1;
    current = start;
    current.next[1] = 4;
    var local = (*node).next;
    put(&local, n.z & 255);
    return vec4f(value_of(&current), nodes[*link & 3].value, f32(local[0] ^ local[1]), start.value);
}
