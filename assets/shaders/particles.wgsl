// A fountain: a compute shader moves particles in place, and each is drawn as a soft quad.

struct Particle {
    place: vec2f,
    speed: vec2f,
    // In seconds.
    age: f32,
    // State of a random number.
    seed: u32,
}

const STEP: f32 = 0.016666668;
const LIFE: f32 = 3.0;
const NOZZLE: vec2f = vec2f(0.0, -0.35);
const FLOOR: f32 = -0.9;
const BALLS: u32 = 3u;

// Centre and radius.
fn ball(n: u32) -> vec3f {
    var balls = array<vec3f, BALLS>(
        vec3f(-0.62, -0.42, 0.2),
        vec3f(0.55, -0.3, 0.26),
        vec3f(0.12, 0.3, 0.13),
    );
    return balls[n];
}

@group(0) @binding(0) var<storage, read_write> particles: array<Particle>;

// From 0 to 1.
fn random(seed: ptr<function, u32>) -> f32 {
    *seed = *seed * 747796405u + 2891336453u;
    let word = ((*seed >> ((*seed >> 28u) + 4u)) ^ *seed) * 277803737u;
    return f32((word >> 22u ^ word) >> 8u) / 16777216.0;
}

@compute @workgroup_size(64)
fn advance(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&particles) {
        return;
    }
    var own = particles[id.x];
    own.age += STEP;
    if own.age > LIFE {
        own.age -= LIFE;
        own.place = NOZZLE;
        let aside = random(&own.seed) - random(&own.seed);
        own.speed = vec2f(aside * 0.75, 1.7 + 0.35 * random(&own.seed));
    }
    own.speed.y -= 1.5 * STEP;
    own.place += own.speed * STEP;
    for (var n = 0u; n < BALLS; n++) {
        let at = ball(n);
        let away = own.place - at.xy;
        let apart = length(away);
        if apart < at.z {
            let outwards = away / max(apart, 0.001);
            own.place = at.xy + outwards * at.z;
            own.speed -= outwards * (1.45 * min(dot(own.speed, outwards), 0.0));
        }
    }
    if own.place.y < FLOOR {
        own.place.y = FLOOR;
        own.speed = vec2f(own.speed.x * 0.8, abs(own.speed.y) * 0.35);
    }
    particles[id.x] = own;
}

// Width over height.
var<immediate> aspect: f32;

struct Corner {
    @builtin(position) position: vec4f,
    @location(0) place: vec2f,
}

@vertex fn vertex(@builtin(vertex_index) i: u32) -> Corner {
    // One triangle that covers the picture.
    let place = vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0;
    return Corner(vec4f(place, 0.0, 1.0), place * vec2f(aspect, 1.0));
}

@fragment fn room(corner: Corner) -> @location(0) vec4f {
    var color = mix(vec3f(0.012, 0.016, 0.035), vec3f(0.05, 0.03, 0.06), 0.5 - 0.5 * corner.place.y);
    if corner.place.y < FLOOR {
        color = vec3f(0.06, 0.05, 0.07);
    }
    for (var n = 0u; n < BALLS; n++) {
        let at = ball(n);
        let away = (corner.place - at.xy) / at.z;
        let square = dot(away, away);
        if square < 1.0 {
            // Light from above on the left.
            let normal = vec3f(away, sqrt(1.0 - square));
            let light = max(dot(normal, vec3f(-0.45, 0.7, 0.55)), 0.0);
            color = vec3f(0.02, 0.03, 0.06) + vec3f(0.1, 0.14, 0.24) * light;
        }
    }
    return vec4f(color, 1.0);
}

@group(0) @binding(1) var<storage, read> drawn: array<Particle>;

struct Spark {
    @builtin(position) position: vec4f,
    // From -1 to 1 in the quad.
    @location(0) place: vec2f,
    @location(1) color: vec3f,
}

@vertex fn quad(@builtin(vertex_index) corner: u32, @builtin(instance_index) n: u32) -> Spark {
    let own = drawn[n];
    // Two triangles.
    let at = select(corner, corner - 2u, corner > 2u);
    let place = vec2f(f32(at & 1u), f32(at >> 1u)) * 2.0 - 1.0;
    let position = (own.place + place * 0.02) / vec2f(aspect, 1.0);
    let heat = saturate(length(own.speed) * 0.55);
    let cold = mix(vec3f(0.05, 0.1, 0.5), vec3f(0.1, 0.45, 0.6), heat);
    let color = mix(cold, vec3f(1.0, 0.6, 0.2), heat * heat);
    return Spark(vec4f(position, 0.0, 1.0), place, color * saturate(2.0 * (LIFE - own.age)));
}

@fragment fn spark(in: Spark) -> @location(0) vec4f {
    let light = saturate(1.0 - dot(in.place, in.place));
    return vec4f(in.color * light * light, 1.0);
}
