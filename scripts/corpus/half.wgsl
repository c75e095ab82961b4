// Half precision in a storage buffer.
enable f16;
@group(0) @binding(0) var<storage, read> samples: array<f16>;
@group(0) @binding(1) var<storage, read_write> sums: array<f16>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var sum = 0.0h;
    for (var at = id.x; at < arrayLength(&samples); at += 64u) {
        sum += samples[at] * samples[at];
    }
    sums[id.x] = sqrt(sum);
}
