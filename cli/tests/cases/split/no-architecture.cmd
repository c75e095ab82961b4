; RUN: split %fixtures/opencl/plain.spv --fixed-targets board --device-config %t.yaml -o %t.spv
; EXIT: 1
; FILE: %t.yaml
;   board:
;     aspects: []
