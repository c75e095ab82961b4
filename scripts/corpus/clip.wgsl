// A vertex shader with clip distances.
enable clip_distances;
struct Out {
    @builtin(position) place: vec4<f32>,
    @builtin(clip_distances) distances: array<f32, 2>,
}
@group(0) @binding(0) var<uniform> planes: array<vec4<f32>, 2>;
@group(0) @binding(1) var<uniform> view: mat4x4<f32>;

@vertex
fn main(@location(0) point: vec3<f32>, @builtin(instance_index) instance: u32) -> Out {
    var out: Out;
    out.place = view * vec4<f32>(point + f32(instance), 1.0);
    out.distances[0] = dot(planes[0], out.place);
    out.distances[1] = dot(planes[1], out.place);
    return out;
}
