// Pointers handed from function to function.
fn bump(p: ptr<function, f32>, by: f32) { *p += by; }
fn twice(p: ptr<function, f32>) { bump(p, 1.0); bump(p, *p); }
fn swap(p: ptr<function, vec4f>, q: ptr<function, vec4f>) { let t = *p; *p = *q; *q = t; }
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var x = a.x;
    twice(&x);
    var v = a;
    var w = vec4f(n);
    swap(&v, &w);
    let whole = &v;
    (*whole).z = x;
    return v + w.wzyx;
}
