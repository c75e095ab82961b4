; EXIT: 2
; RUN: specialize %fixtures/glsl/reduce.spv --device x86_64 --dedupe -o %t.spv
