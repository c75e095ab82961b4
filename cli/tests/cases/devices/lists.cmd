; Lists with commas, wherever devices are named; each device counts once.
; RUN: condition fp64 --device 'pvc, intel_gpu_dg1,intel_gpu_pvc*' --device dg1
; RUN: condition fp64 --device a100,arch:intel_gpu_dg1,gfx90a:xnack+
; RUN: devices pvc,dg1 --defines
; EXIT: 2
