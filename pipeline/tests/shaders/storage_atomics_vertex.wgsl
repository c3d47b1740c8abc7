// Atomic operations in a vertex shader whose old values are used.
@group(0) @binding(0) var<storage, read_write> slots: array<atomic<u32>>;

@vertex
fn vs(@builtin(vertex_index) n: u32) -> @builtin(position) vec4f {
    let old = atomicAdd(&slots[0], 1u);
    let swapped = atomicCompareExchangeWeak(&slots[1 + n % 4], 0u, n + 1);
    let before = atomicExchange(&slots[5], n);
    return vec4f(f32(old), f32(swapped.old_value), f32(swapped.exchanged), f32(before));
}
