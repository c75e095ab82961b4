// 64-bit integers.
@group(0) @binding(0) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let product = u64(words[id.x]) * 6364136223846793005lu + 1442695040888963407lu;
    words[id.x] = u32(product >> 32u);
}
