; A glob and a name say different things of one function.
; FILE: %t.yaml
;   functions:
;     "sum_in_*":
;       uses: fp16
;       source: a.comp
;     sum_in_float(uint, uint):
;       uses: [5]
;       source: b.comp
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
