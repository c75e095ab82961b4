// A sampled texture in, a storage texture out, and its size asked for.
@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var smooth_sampler: sampler;
@group(0) @binding(2) var destination: texture_storage_2d<rgba16float, write>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = vec2<f32>(textureDimensions(source));
    var sum = vec4<f32>();
    for (var row = -2; row <= 2; row++) {
        let place = (vec2<f32>(id.xy) + vec2<f32>(0.5, f32(row))) / size;
        sum += textureSampleLevel(source, smooth_sampler, place, 0.0);
    }
    textureStore(destination, vec2<i32>(id.xy), sum / 5.0);
}
