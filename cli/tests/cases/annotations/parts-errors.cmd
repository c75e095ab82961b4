; Bits that two entries bind.
; FILE: %t.yaml
;   spec-constants:
;     0:
;       bit 3: fp16
;       mask 0x18: fp64
; RUN: pack %fixtures/flags/flags.spv --annotations %t.yaml -o %t.spv
; EXIT: 1
