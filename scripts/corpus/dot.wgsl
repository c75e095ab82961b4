// Packed dot products.
@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<i32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    out[id.x] = dot4I8Packed(a[id.x], b[id.x]) + i32(dot4U8Packed(a[id.x], b[id.x]));
}
