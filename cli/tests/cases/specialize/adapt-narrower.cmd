; RUN: specialize %fixtures/adapted/storage.spv --adapt --capabilities Shader,Float16,StorageBuffer16BitAccess -o %t.spv
; RUN: trim %fixtures/adapted/storage.spv -o %t.trimmed.spv
; RUN: inspect %fixtures/adapted/storage.spv
; RUN: specialize %fixtures/adapted/storage.spv --capabilities Shader,Float16,StorageBuffer16BitAccess -o %t.refused.spv
; EXIT: 3
; RESULT-ENV: vulkan1.1
; SHOW: OpCapability
