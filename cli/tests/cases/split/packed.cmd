; A module that was packed: its constants mean in the images what its properties say.
; RUN: pack %fixtures/opencl/device_if.spv -o %t.spv -q
; RUN: split %t.spv --mode kernel -o %t.spv
; MESSAGES: facts
; RESULT-ENV: spv1.6
; DIS: none
