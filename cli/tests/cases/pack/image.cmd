; Images are needed whatever the condition is: the aspect `image` (9) is in the requirements of the device. The device that has
; nothing but that gets the module without half floats.
; DIS: none
; RESULT-ENV: opencl2.2
; RUN: pack %fixtures/opencl/image.spv -o %t.spv -q
; RUN: specialize %t.spv -o %t.image.spv --aspects image -v
; RUN: specialize %t.spv -o %t.none.spv --aspects fp16
; EXIT: 3
