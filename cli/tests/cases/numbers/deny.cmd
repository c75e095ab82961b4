; An entry point requires numbers: the size of its work-groups, other limits of its modes, and a version.
; RUN: inspect %fixtures/decisions/glslnumbers.spv --deny 'max_work_group_size > 64' --deny 'spirv_version >= 1.4' --deny 'max_shared_memory >= 1'
; RUN: inspect %fixtures/decisions/glslnumbers.spv --deny 'max_work_group_size >= 32' --deny 'limit(vulkan:maxComputeWorkGroupSize.0) >= 64 && spirv_version >= 1.2' -q
; EXIT: 1
