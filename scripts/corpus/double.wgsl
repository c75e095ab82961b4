// Double precision, computed and stored as float.
@group(0) @binding(0) var<storage, read_write> points: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var x = f64(points[id.x]);
    for (var step = 0; step < 8; step++) {
        x = x - (x * x - 2.0lf) / (2.0lf * x);
    }
    points[id.x] = f32(x);
}
