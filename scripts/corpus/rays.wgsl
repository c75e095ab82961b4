// A ray query.
enable wgpu_ray_query;
@group(0) @binding(0) var scene: acceleration_structure;
@group(0) @binding(1) var<storage, read_write> hits: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var query: ray_query;
    rayQueryInitialize(&query, scene, RayDesc(0u, 0xffu, 0.0, 100.0, vec3<f32>(f32(id.x), 0.0, 0.0), vec3<f32>(0.0, 1.0, 0.0)));
    while rayQueryProceed(&query) {}
    hits[id.x] = rayQueryGetCommittedIntersection(&query).t;
}
