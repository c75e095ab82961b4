; RUN: split %fixtures/stages/linked.spv --mode kernel --rename-entry main -o %t/ --map -
; RUN: split %fixtures/stages/wgsl-g.spv --mode kernel --rename-entry main -o %t/
; MESSAGES: facts
; RESULT-ENV: vulkan1.1
; DIS: %t/wgsl-g.transform.spv
; SHOW: OpEntryPoint OpName OpFunction OpVariable Location Builtin
