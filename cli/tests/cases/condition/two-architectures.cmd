; A device has one architecture.
; RUN: condition fp16 --architecture intel_gpu_pvc,intel_gpu_dg1
; MESSAGES: facts
; EXIT: 2
