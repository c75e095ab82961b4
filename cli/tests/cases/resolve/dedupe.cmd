; Devices that get the same code share one file, and a map says which.
; RUN: specialize -v %fixtures/glsl/reduce.spv --device intel_gpu_bmg_g21 --device nvidia_gpu_sm_5? --device arch:intel_gpu_dg1 --unset keep --dedupe --map %t/map.json -o %t/ --trim
; MESSAGES: facts
; DIS: none
