// A multisampled texture resolved for each sample, with a depth written.
@group(0) @binding(0) var colors: texture_multisampled_2d<f32>;
@group(0) @binding(1) var depths: texture_depth_multisampled_2d;

struct Out {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn main(@builtin(position) place: vec4<f32>, @builtin(sample_index) sample: u32) -> Out {
    let at = vec2<i32>(place.xy);
    return Out(textureLoad(colors, at, i32(sample)), textureLoad(depths, at, i32(sample)));
}
