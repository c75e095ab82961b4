// Storage textures of formats that need a capability, of one and three dimensions, read and written.
@group(0) @binding(0) var line: texture_storage_1d<r32float, read_write>;
@group(0) @binding(1) var space: texture_storage_3d<rg32uint, write>;
@group(0) @binding(2) var layers: texture_storage_2d_array<rgba8unorm, write>;

@compute @workgroup_size(4, 4, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let old = textureLoad(line, id.x);
    textureStore(line, id.x, old + vec4<f32>(1.0));
    textureStore(space, id, vec4<u32>(id, 1u));
    textureStore(layers, id.xy, id.z, old);
}
