// Shuffles only: one kind of subgroup operation.
@group(0) @binding(0) var<storage, read_write> values: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var value = values[id.x];
    value += subgroupShuffleXor(value, 1u);
    value += subgroupShuffleXor(value, 2u);
    values[id.x] = value;
}
