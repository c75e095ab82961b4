; A configuration of the user; the numbers are those of the design.
; FILE: %t.yaml
;   our_board:
;     architecture: intel_gpu_pvc
;     aspects: [2, 5, 90]
;     sub-group-sizes: [16]
;     capabilities: [CooperativeMatrixKHR]
;     extensions: [SPV_KHR_cooperative_matrix]
;     spirv-versions: [1.0, "1.6"]
;     max-work-group-size: 512
;     may-support-more: true
; RUN: devices --device-config %t.yaml
; RUN: devices --device-config %t.yaml our_board
