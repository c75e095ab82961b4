; The user did not choose the names of images, so none takes the place of an input.
; RUN: trim -q %fixtures/opencl/device_if.spv -o %t_0.spv
; RUN: sycl post-link %t_0.spv --pack -o %t.table
; EXIT: 2
; DIS: none
