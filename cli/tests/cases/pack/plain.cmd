; A module that has nothing conditional stays as it is.
; DIS: none
; RUN: pack %fixtures/opencl/plain.spv -o %t.spv
; MESSAGES: facts
