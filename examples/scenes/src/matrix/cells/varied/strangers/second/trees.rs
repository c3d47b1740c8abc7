//! Rays through a tree of boxes that hold balls.

use super::*;

/// 600 balls: middle and radius.
fn balls() -> Vec<[f32; 4]> {
    let ball = |n: u32| {
        let [x, y, z] = [0, 1, 2].map(|k| part(n * 4 + k) * 2.0 - 1.0);
        [x, y, z, 0.02 + 0.08 * part(n * 4 + 3)]
    };
    (0..600).map(ball).collect()
}

/// Adds a node of balls and all below it: low corner and first child or ball, high corner and count of balls.
fn divided(nodes: &mut Vec<[f32; 8]>, at: usize, balls: &mut [[f32; 4]], first: usize) {
    let edge = |sign: f32, pick: fn(f32, f32) -> f32| {
        [0, 1, 2].map(|k| {
            let edges = balls.iter().map(|ball| ball[k] + sign * ball[3]);
            edges.reduce(pick).unwrap_or_default()
        })
    };
    let ([a, b, c], [d, e, f]) = (edge(-1.0, f32::min), edge(1.0, f32::max));
    if balls.len() <= 3 {
        nodes[at] = [a, b, c, first as f32, d, e, f, balls.len() as f32];
        return;
    }
    let wide = [d - a, e - b, f - c];
    let axis = (0..3).fold(0, |best, k| if wide[k] > wide[best] { k } else { best });
    balls.sort_by(|p, q| p[axis].total_cmp(&q[axis]));
    let child = nodes.len();
    nodes[at] = [a, b, c, child as f32, d, e, f, 0.0];
    nodes.extend([[0.0; 8]; 2]);
    let middle = balls.len() / 2;
    let (low, high) = balls.split_at_mut(middle);
    divided(nodes, child, low, first);
    divided(nodes, child + 1, high, first + middle);
}

/// Rays through a tree of boxes, nearer children first, and rays to a light that end at the first hit.
fn tree() -> Plan {
    let text = "
        struct Node { low: vec3f, first: f32, high: vec3f, count: f32 };
        @group(0) @binding(0) var<storage, read> nodes: array<Node>;
        @group(0) @binding(1) var<storage, read> balls: array<vec4f>;
        @group(0) @binding(2) var o: texture_storage_2d<rgba8unorm, write>;
        struct Hit { t: f32, ball: i32 };
        fn entered(n: u32, o: vec3f, k: vec3f, most: f32) -> f32 {
            let a = (nodes[n].low - o) * k;
            let b = (nodes[n].high - o) * k;
            let near = min(a, b);
            let far = max(a, b);
            let t = max(max(near.x, near.y), max(near.z, 0.0));
            return select(1e9, t, t <= min(min(far.x, far.y), min(far.z, most)));
        }
        fn traced(o: vec3f, d: vec3f, most: f32, any: bool) -> Hit {
            let k = 1.0 / d;
            var hit = Hit(most, -1);
            var stack: array<u32, 16>;
            var top = 0u;
            var at = 0u;
            loop {
                let node = nodes[at];
                if node.count > 0.0 {
                    for (var i = u32(node.first); i < u32(node.first + node.count); i++) {
                        let m = o - balls[i].xyz;
                        let b = dot(m, d);
                        let e = b * b - dot(m, m) + balls[i].w * balls[i].w;
                        if e < 0.0 { continue; }
                        let t = -b - sqrt(e);
                        if t > 0.001 && t < hit.t {
                            hit = Hit(t, i32(i));
                            if any { return hit; }
                        }
                    }
                } else {
                    var near = u32(node.first);
                    var far = near + 1u;
                    var a = entered(near, o, k, hit.t);
                    var b = entered(far, o, k, hit.t);
                    if b < a {
                        let t = a;
                        a = b;
                        b = t;
                        near++;
                        far--;
                    }
                    if a < 1e9 {
                        if b < 1e9 && top < 16u {
                            stack[top] = far;
                            top++;
                        }
                        at = near;
                        continue;
                    }
                }
                if top == 0u { break; }
                top--;
                at = stack[top];
            }
            return hit;
        }
        @compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) g: vec3u) {
            let d = normalize(vec3f((vec2f(g.xy) + 0.5) / 64.0 - 1.0, 1.6));
            let eye = vec3f(0.01, 0.02, -2.4);
            let hit = traced(eye, d, 1e8, false);
            var c = vec3f(0.1, 0.1, 0.15);
            if hit.ball >= 0 {
                let ball = balls[hit.ball];
                let p = eye + d * hit.t;
                let n = (p - ball.xyz) / ball.w;
                let light = normalize(vec3f(0.6, -0.7, -0.4));
                var lit = max(dot(n, light), 0.0);
                if lit > 0.0 && traced(p + n * 0.002, light, 1e8, true).ball >= 0 { lit = 0.0; }
                c = (0.2 + 0.8 * lit) * (0.6 + 0.4 * ball.xyz);
            }
            textureStore(o, g.xy, vec4f(c, 1.0));
        }";
    let mut balls = balls();
    let mut nodes = vec![[0.0; 8]];
    divided(&mut nodes, 0, &mut balls, 0);
    let mut plan = Plan::new("compute/tree of balls");
    plan.picture = plan.target(F::Rgba8Unorm, [128, 128], 1);
    let nodes = plan.buffer(BufferUsages::STORAGE, floats(nodes.into_iter().flatten()));
    let balls = plan.buffer(BufferUsages::STORAGE, floats(balls.into_iter().flatten()));
    let resources = vec![
        Resource::Storage(nodes),
        Resource::Storage(balls),
        Resource::Stored(0),
    ];
    run(&mut plan, text, resources, [16, 16, 1]);
    plan
}

pub(super) fn cells() -> Vec<Plan> {
    vec![tree()]
}
