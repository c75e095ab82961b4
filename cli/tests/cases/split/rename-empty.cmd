; A new name of entry points is not empty.
; RUN: split %fixtures/opencl/many.spv --rename-entry= -o %t.spv
; EXIT: 2
; DIS: none
