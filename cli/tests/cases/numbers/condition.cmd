; Comparisons are intervals in the canonical form; devices of the table answer where they know the number.
; RUN: condition 'subgroup_size >= 16 && subgroup_size >= 32'
; RUN: condition 'max_shared_memory < 32768 || max_shared_memory >= 1024'
; RUN: condition 'spirv_version > 1.3 && !(subgroup_size != 32)' --device nvidia_gpu_sm_90
; RUN: condition 'subgroup_size == 16' --device intel_gpu_dg2_g10
; RUN: condition 'subgroup_size == 16' --device intel_gpu_dg2_g10 --limits subgroup_size=16
; RUN: condition 'limit(vulkan:maxComputeWorkGroupSize.2) >= 128' --device nvidia_gpu_sm_90
