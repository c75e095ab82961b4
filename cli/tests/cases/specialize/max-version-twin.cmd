; RUN: specialize %fixtures/adapted/layers.spv --max-version 1.3 -o %t.spv
; MESSAGES: facts
; RESULT-ENV: vulkan1.1
; SHOW: OpCapability OpExtension Version
