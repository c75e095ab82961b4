; The table of an image has only the predicates of its kernel.
; RUN: split %fixtures/amd/kernels-O2.spv --mode kernel -o %t.image.spv
; MESSAGES: facts
; DIS: %t.image.product.spv
; SHOW: OpCapability OpEntryPoint Linkage SpecId OpSpec predicate OpFunction
