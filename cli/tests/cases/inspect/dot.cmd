; The call graph.
; RUN: inspect %fixtures/glsl/reduce.spv --format dot
