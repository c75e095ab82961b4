; RUN: trim -q %fixtures/opencl/device_if.spv -o %t_0.spv
; RUN: split %t_0.spv --mode source -o %t.spv
; EXIT: 2
; DIS: none
