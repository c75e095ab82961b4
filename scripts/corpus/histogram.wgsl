// Atomics in shared memory and in a buffer.
@group(0) @binding(0) var<storage, read> bytes: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, 256>;
var<workgroup> local_bins: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    atomicStore(&local_bins[local], 0u);
    workgroupBarrier();
    let word = bytes[id.x];
    for (var shift = 0u; shift < 32u; shift += 8u) {
        atomicAdd(&local_bins[(word >> shift) & 255u], 1u);
    }
    workgroupBarrier();
    atomicAdd(&bins[local], atomicLoad(&local_bins[local]));
}
