struct Body { at: vec4f, speed: vec4f }
@group(0) @binding(0) var<storage, read> bodies: array<Body, 128>;
@group(0) @binding(1) var<storage, read_write> next: array<Body, 128>;
var<workgroup> tile: array<vec4f, 64>;
@compute @workgroup_size(64) fn cs(@builtin(local_invocation_index) me: u32, @builtin(workgroup_id) id: vec3u, @builtin(num_workgroups) count: vec3u) {
    let group = id.x + id.y * count.x;
    let self_index = (group * 64u + me) & 127u;
    let own = bodies[self_index];
    var pull = vec3f(0.0);
    for (var t = 0u; t < 2u; t++) {
        tile[me] = bodies[t * 64u + me].at;
        workgroupBarrier();
        for (var i = 0u; i < 64u; i++) {
            let other = tile[i];
            let d = other.xyz - own.at.xyz;
            let r2 = dot(d, d) + 0.01;
            let inverse = inverseSqrt(r2);
            pull += d * (other.w * inverse * inverse * inverse);
        }
        workgroupBarrier();
    }
    if group < 2u {
        let speed = own.speed.xyz + pull * 0.01;
        next[self_index] = Body(vec4f(own.at.xyz + speed * 0.01, own.at.w), vec4f(speed, 0.0));
    }
}
