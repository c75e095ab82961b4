// An array of textures, indexed by what differs from one invocation to the next.
enable wgpu_binding_array;
@group(0) @binding(0) var textures: binding_array<texture_2d<f32>, 16>;
@group(0) @binding(1) var samplers: binding_array<sampler, 16>;

@fragment
fn main(@location(0) place: vec2<f32>, @location(1) @interpolate(flat) which: u32) -> @location(0) vec4<f32> {
    return textureSample(textures[which], samplers[which], place);
}
