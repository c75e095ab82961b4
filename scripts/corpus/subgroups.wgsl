// Operations across a subgroup: ballot, reduction, scan and shuffle.
@group(0) @binding(0) var<storage, read_write> values: array<u32>;

@compute @workgroup_size(128)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_size) size: u32,
) {
    let value = values[id.x];
    let odd = subgroupBallot((value & 1u) == 1u);
    let sum = subgroupAdd(value);
    let before = subgroupExclusiveAdd(value);
    let next = subgroupShuffle(value, (lane + 1u) % size);
    if subgroupAll(value < 100u) {
        values[id.x] = sum + before + next + odd.x;
    }
}
