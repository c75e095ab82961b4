; What has no rules cannot be lowered.
; RUN: specialize %fixtures/glsl/wave.spv --lower=Int64,Float8EXT -o %t.spv
; EXIT: 2
