; The category of a known architecture follows from it; another one is an error.
; FILE: %t.yaml
;   intel_gpu_pvc:
;     category: cpu
; RUN: devices --device-config %t.yaml
; EXIT: 1
