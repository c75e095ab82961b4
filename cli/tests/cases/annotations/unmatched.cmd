; Entries that match nothing: functions by name, glob and id, types, constants.
; FILE: %t.yaml
;   functions:
;     sum_in_hlaf: {uses: fp16}
;     "sum_in_hal?(*": {uses: fp16}
;     "sum_in_hlaf*": {uses: fp16}
;     "%12": {uses: fp16}
;   types:
;     Halve: fp16
;   spec-constants:
;     7: fp16
; RUN: inspect %fixtures/glsl/reduce.spv --annotations %t.yaml
; EXIT: 1
