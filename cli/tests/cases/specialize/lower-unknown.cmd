; What has no rules cannot be lowered.
; RUN: specialize %fixtures/glsl/wave.spv --lower=Int64,Float16 -o %t.spv
; EXIT: 2
