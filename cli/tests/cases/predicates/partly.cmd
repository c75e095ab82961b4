; What LLVM no longer has is not known, and stays with its entry in the table.
; RUN: specialize %fixtures/amd/kernels-O2.spv --device amd_gpu_gfx940 -o %t.spv
; RUN: inspect %t.spv
; MESSAGES: facts
; SHOW: OpCapability OpEntryPoint Linkage SpecId OpSpec predicate OpConstantFunction OpSwitch OpBranchConditional
