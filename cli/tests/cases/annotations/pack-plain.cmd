; Nothing is conditional: what functions are said to use is needed.
; FILE: %t.yaml
;   functions:
;     energy: {uses: atomic64}
; RUN: pack %fixtures/opencl/plain.spv --annotations %t.yaml -o %t.spv
; MESSAGES: facts
; DIS: none
