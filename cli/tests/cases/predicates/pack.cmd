; The meaning of predicates is in the property sets, and the table is gone.
; RUN: pack %fixtures/amd/kernels-O2.spv -o %t.packed.spv
; RUN: specialize %t.packed.spv --device gfx90a -o %t.gfx90a.spv
; MESSAGES: facts
; DIS: none
