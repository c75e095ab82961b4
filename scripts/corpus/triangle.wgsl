// Needs nothing special.
struct Varying {
    @builtin(position) place: vec4<f32>,
    @location(0) color: vec3<f32>,
}

@vertex
fn main(@builtin(vertex_index) index: u32) -> Varying {
    let x = f32(i32(index) - 1);
    let y = f32(i32(index & 1u) * 2 - 1);
    return Varying(vec4<f32>(x, y, 0.0, 1.0), vec3<f32>(x, y, 1.0));
}
