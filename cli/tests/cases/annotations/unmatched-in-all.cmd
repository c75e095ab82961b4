; Each entry must match in one module of a run, whichever: here all but one do.
; FILE: %t.yaml
;   functions:
;     sum_in_half: {uses: fp16}
;     energy: {uses: fp64}
;     enregy: {uses: fp64}
; RUN: check %fixtures/glsl/reduce.spv %fixtures/opencl/plain.spv --annotations %t.yaml
; EXIT: 1
