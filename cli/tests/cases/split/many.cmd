; What other kernels use only under conditions does not keep kernels apart where the conditions promise it.
; RUN: split %fixtures/opencl/many.spv --mode off -o %t.spv
; MESSAGES: facts
; RESULT-ENV: opencl2.2
; DIS: none
