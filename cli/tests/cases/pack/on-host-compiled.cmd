; A compiler's module with what is for the host: fp64, which only that uses, is not required.
; RUN: pack %fixtures/program/sides-O0.spv -o %t.O0.spv
; RUN: pack %fixtures/program/sides-O2.spv -o %t.O2.spv
; RUN: inspect %t.O0.spv %t.O2.spv
; MESSAGES: facts
; DIS: none
; RESULT-ENV: spv1.4
