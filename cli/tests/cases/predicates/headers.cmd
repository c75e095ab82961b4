; Conditions on features of providers, as the headers write them.
; RUN: pack %fixtures/amd/features.spv -o %t.packed.spv
; RUN: specialize %t.packed.spv --device gfx1201 -o %t.gfx1201.spv
; MESSAGES: facts
; DIS: none
