; A series as the ABI has it: fp16 and intel_gpu_pvc.
; RUN: condition '-4,-1,5,-2,20'
