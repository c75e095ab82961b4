// 64-bit and float atomics.
@group(0) @binding(0) var<storage, read_write> largest: atomic<u64>;
@group(0) @binding(1) var<storage, read_write> total: atomic<f32>;
@group(0) @binding(2) var<storage, read> values: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    atomicMax(&largest, u64(id.x));
    atomicAdd(&total, values[id.x]);
}
