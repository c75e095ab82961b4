; Lists with commas name fixed targets, in annotations too.
; FILE: %t.yaml
;   functions:
;     boo:
;       fixed-targets: dg1,intel_gpu_tgllp
; RUN: check %fixtures/check/double.spv --fixed-targets dg1,tgl
; RUN: check %fixtures/check/double.spv --annotations %t.yaml
; RUN: split %fixtures/check/double.spv --fixed-targets 'dg1, none' -o %t/
; MESSAGES: facts
; EXIT: 2
