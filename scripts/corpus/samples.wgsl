// Interpolation at each sample.
@fragment
fn main(
    @location(0) @interpolate(perspective, sample) color: vec4<f32>,
    @location(1) @interpolate(linear, centroid) light: f32,
    @builtin(front_facing) front: bool,
) -> @location(0) vec4<f32> {
    return select(color, color * light, front);
}
