; A file without any module, and a missing one.
; EXIT: 1
; RUN: inspect %fixtures/README.md %fixtures/missing.spv %fixtures/glsl/wave.spv
; MESSAGES: facts
