; One module for a processor: no predicate is left, nor its table, nor the imports that only removed code called.
; RUN: specialize %fixtures/amd/kernels-O2.spv --device gfx90a -o %t.gfx90a.spv
; RUN: specialize %fixtures/amd/kernels-O0.spv --device gfx1201 -o %t.gfx1201.spv
; RUN: specialize %fixtures/amd/kernels-O0.spv --device intel_gpu_pvc -o %t.pvc.spv
; SHOW: OpCapability OpExtInst OpEntryPoint Linkage SpecId OpSpec predicate OpFunctionCall OpFunctionEnd OpBranchConditional OpSwitch OpSelect
