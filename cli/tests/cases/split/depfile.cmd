; RUN: split %fixtures/opencl/plain.spv --mode kernel -o %t.spv --map %t.json --depfile %t.d
; MESSAGES: facts
; RESULT-ENV: opencl2.2
; DIS: none
