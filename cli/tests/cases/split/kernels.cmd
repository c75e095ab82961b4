; The function that clang makes the body of a kernel goes with the kernel; debug information of others goes.
; RUN: split %fixtures/stages/kernels-g.spv --mode off -o %t.spv --property-names dpcpp
; MESSAGES: facts
; RESULT-ENV: spv1.2
; DIS: %t_2.spv
; SHOW: OpCapability OpEntryPoint OpString OpName Linkage DebugFunction DebugLocalVariable OpFunction
