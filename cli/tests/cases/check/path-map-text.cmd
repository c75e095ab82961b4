; Names of source files are changed only in findings for programs.
; RUN: check %fixtures/check/hw-g.spv --path-map .=shaders
; EXIT: 2
; DIS: none
