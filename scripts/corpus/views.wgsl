// Several views at once.
@group(0) @binding(0) var<uniform> cameras: array<mat4x4<f32>, 2>;

@vertex
fn main(@location(0) point: vec3<f32>, @builtin(view_index) view: u32) -> @builtin(position) vec4<f32> {
    return cameras[view] * vec4<f32>(point, 1.0);
}
