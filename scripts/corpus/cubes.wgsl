// An array of cubes, a shadow comparison, a gather, and derivatives.
@group(0) @binding(0) var cubes: texture_cube_array<f32>;
@group(0) @binding(1) var cube_sampler: sampler;
@group(0) @binding(2) var shadow: texture_depth_2d_array;
@group(0) @binding(3) var shadow_sampler: sampler_comparison;

@fragment
fn main(@location(0) direction: vec3<f32>, @location(1) @interpolate(flat) layer: i32) -> @location(0) vec4<f32> {
    let color = textureSample(cubes, cube_sampler, direction, layer);
    let lit = textureSampleCompare(shadow, shadow_sampler, direction.xy, layer, direction.z);
    let near = textureGatherCompare(shadow, shadow_sampler, direction.xy, layer, direction.z);
    let slope = dpdxFine(direction.x) + fwidthCoarse(direction.y);
    return color * lit + near * slope;
}
