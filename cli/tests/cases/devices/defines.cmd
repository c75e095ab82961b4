; The options for one target, for the shell. DPC++'s spelling for NVIDIA's, Intel's for the CPU; and a device of one's own.
; FILE: %t.yaml
;   board: {aspects: [gpu, fp16, 1000]}
; RUN: devices nvidia_gpu_sm_50 --defines
; RUN: devices x86_64 --defines
; RUN: devices board --defines --device-config %t.yaml
