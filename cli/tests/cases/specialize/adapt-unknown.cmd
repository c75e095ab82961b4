; RUN: specialize %fixtures/adapted/hints.spv --adapt --device intel_gpu_pvc -o %t.spv
; MESSAGES: facts
; SHOW: OpCapability Assume
