//! Compute shaders over buffers: copies, histograms, sums, sorted groups, products of matrices, and an image that is stored.

use wgpu_types::TextureFormat as F;
use wgpu_types::*;

use super::*;

/// A compute shader of buffers `a`, which it reads, and `b`, which it writes.
struct Kernel {
    label: &'static str,
    shader: &'static str,
    groups: [u32; 3],
    /// Of each buffer.
    bytes: u32,
}

const KERNELS: [Kernel; 15] = [
    Kernel {
        label: "copy",
        shader: "@compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
                b[g.x] = a[g.x] + 1u;
            }",
        groups: [4096, 1, 1],
        bytes: 1 << 20,
    },
    Kernel {
        label: "copy of vectors",
        shader: "@compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
                for (var i = 0u; i < 4u; i++) {
                    b[g.x * 4u + i] = a[g.x * 4u + i] * 3u;
                }
            }",
        groups: [1024, 1, 1],
        bytes: 1 << 20,
    },
    Kernel {
        label: "histogram",
        shader: "@compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
                atomicAdd(&b[a[g.x] & 255u], 1u);
            }",
        groups: [4096, 1, 1],
        bytes: 1 << 20,
    },
    Kernel {
        label: "shared histogram",
        shader: "var<workgroup> h: array<atomic<u32>, 256>;
            @compute @workgroup_size(256) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32) {
                atomicStore(&h[l], 0u);
                workgroupBarrier();
                for (var i = 0u; i < 8u; i++) {
                    atomicAdd(&h[a[g.x * 8u + i] & 255u], 1u);
                }
                workgroupBarrier();
                atomicAdd(&b[l], atomicLoad(&h[l]));
            }",
        groups: [128, 1, 1],
        bytes: 1 << 20,
    },
    Kernel {
        label: "sums by halves",
        shader: "var<workgroup> s: array<u32, 256>;
            @compute @workgroup_size(256) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32, @builtin(workgroup_id) w: vec3u) {
                s[l] = a[g.x];
                workgroupBarrier();
                for (var n = 128u; n > 0u; n >>= 1u) {
                    if l < n {
                        s[l] += s[l + n];
                    }
                    workgroupBarrier();
                }
                if l == 0u {
                    b[w.x] = s[0];
                }
            }",
        groups: [1024, 1, 1],
        bytes: 1 << 20,
    },
    Kernel {
        label: "prefix sums",
        shader: "var<workgroup> s: array<u32, 256>;
            @compute @workgroup_size(256) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32) {
                s[l] = a[g.x];
                workgroupBarrier();
                for (var n = 1u; n < 256u; n <<= 1u) {
                    var t = s[l];
                    if l >= n {
                        t += s[l - n];
                    }
                    workgroupBarrier();
                    s[l] = t;
                    workgroupBarrier();
                }
                b[g.x] = s[l];
            }",
        groups: [512, 1, 1],
        bytes: 1 << 20,
    },
    Kernel {
        label: "sorted groups",
        shader: "var<workgroup> s: array<u32, 256>;
            @compute @workgroup_size(256) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_index) l: u32) {
                s[l] = a[g.x];
                workgroupBarrier();
                for (var k = 2u; k <= 256u; k <<= 1u) {
                    for (var j = k >> 1u; j > 0u; j >>= 1u) {
                        let o = l ^ j;
                        let x = s[l];
                        let y = s[o];
                        workgroupBarrier();
                        let up = (l & k) == 0u;
                        let low = l < o;
                        s[l] = select(max(x, y), min(x, y), up == low);
                        workgroupBarrier();
                    }
                }
                b[g.x] = s[l];
            }",
        groups: [128, 1, 1],
        bytes: 1 << 20,
    },
    Kernel {
        label: "product of matrices",
        shader: "var<workgroup> p: array<f32, 256>;
            var<workgroup> q: array<f32, 256>;
            @compute @workgroup_size(16, 16) fn cs(@builtin(global_invocation_id) g: vec3u, @builtin(local_invocation_id) l: vec3u) {
                var s = 0.0;
                for (var t = 0u; t < 256u; t += 16u) {
                    p[l.y * 16u + l.x] = f32(a[g.y * 256u + t + l.x] & 63u);
                    q[l.y * 16u + l.x] = f32(a[(t + l.y) * 256u + g.x] & 63u);
                    workgroupBarrier();
                    for (var k = 0u; k < 16u; k++) {
                        s += p[l.y * 16u + k] * q[k * 16u + l.x];
                    }
                    workgroupBarrier();
                }
                b[g.y * 256u + g.x] = u32(s);
            }",
        groups: [16, 16, 1],
        bytes: 1 << 18,
    },
    Kernel {
        label: "fractal to image",
        shader: "@compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) g: vec3u) {
                let c = vec2f(g.xy) / 256.0 - vec2f(1.5, 1.0);
                var z = vec2f();
                var n = 0;
                while n < 64 && dot(z, z) < 4.0 {
                    z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
                    n++;
                }
                textureStore(o, g.xy, vec4f(f32(n) / 64.0));
                if g.x > 100000u {
                    b[0] = a[0];
                }
            }",
        groups: [64, 64, 1],
        bytes: 1 << 10,
    },
    Kernel {
        label: "hash",
        shader: "@compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
                var n = a[g.x];
                for (var i = 0u; i < 64u; i++) {
                    n ^= n << 13u;
                    n ^= n >> 17u;
                    n ^= n << 5u;
                    n += i;
                }
                b[g.x] = n;
            }",
        groups: [1024, 1, 1],
        bytes: 1 << 18,
    },
    Kernel {
        label: "scattered reads",
        shader: "@compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
                var n = g.x;
                for (var i = 0u; i < 8u; i++) {
                    n = (n * 1664525u + 1013904223u + a[n & 65535u]) ;
                }
                b[g.x] = n;
            }",
        groups: [1024, 1, 1],
        bytes: 1 << 18,
    },
    Kernel {
        label: "in place",
        shader: "@compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
                if g.x >= arrayLength(&b) { return; }
                b[g.x] = b[g.x] * 5u + a[g.x];
            }",
        groups: [4096, 1, 1],
        bytes: 1 << 20,
    },
    Kernel {
        label: "pairs in place",
        shader: "@compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
                let low = (g.x & ~1023u) * 2u + (g.x & 1023u);
                let p = b[low] + a[g.x];
                let q = b[low + 1024u] ^ g.x;
                b[low] = min(p, q);
                b[low + 1024u] = max(p, q);
            }",
        groups: [2048, 1, 1],
        bytes: 1 << 20,
    },
    Kernel {
        label: "compaction",
        shader: "@compute @workgroup_size(64) fn cs(@builtin(global_invocation_id) g: vec3u) {
                if (a[g.x] & 3u) != 0u { return; }
                let n = atomicAdd(&b[0], 1u);
                atomicStore(&b[1u + (n & 65535u)], g.x);
            }",
        groups: [4096, 1, 1],
        bytes: 1 << 20,
    },
    Kernel {
        label: "vectors mixed",
        shader: "@compute @workgroup_size(128) fn cs(@builtin(global_invocation_id) g: vec3u) {
                var v = vec4f();
                for (var k = 0u; k < 4u; k++) {
                    let n = (g.x * 4u + k * 16384u) & 262140u;
                    v += vec4f(f32(a[n]), f32(a[n + 1u]), f32(a[n + 2u]), f32(a[n + 3u])) * 0.25;
                }
                v = normalize(v + 1.0);
                for (var k = 0u; k < 4u; k++) {
                    b[g.x * 4u + k] = bitcast<u32>(v[k]);
                }
            }",
        groups: [512, 1, 1],
        bytes: 1 << 20,
    },
];

fn cell(kernel: &Kernel) -> Plan {
    let Kernel { shader, bytes, .. } = *kernel;
    let mut plan = Plan::new(format!("compute/{}", kernel.label));
    plan.picture = plan.target(F::Rgba8Unorm, [512, 512], 1);
    let from = plan.buffer(BufferUsages::STORAGE, noise(2, bytes));
    let to = plan.buffer(BufferUsages::STORAGE, vec![0; bytes as usize]);
    let mut resources = vec![Resource::Storage(from), Resource::Written(to)];
    let atomic = shader.contains("atomicAdd(&b");
    let element = if atomic { "atomic<u32>" } else { "u32" };
    let mut text = format!(
        "@group(0) @binding(0) var<storage, read> a: array<u32>;
        @group(0) @binding(1) var<storage, read_write> b: array<{element}>;\n"
    );
    let stores = shader.contains("textureStore");
    if stores {
        text += "@group(0) @binding(2) var o: texture_storage_2d<rgba8unorm, write>;\n";
        resources.push(Resource::Stored(plan.picture));
    }
    let compute = plan.compute(text + shader, resources);
    let dispatch = plan.dispatch(compute, kernel.groups);
    plan.steps.push(Step::Compute(vec![dispatch]));
    if !stores {
        let target = Target::cleared(plan.picture);
        plan.pass(vec![target], None, Vec::new());
    }
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    KERNELS.iter().map(cell).collect()
}
