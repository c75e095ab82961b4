; Text that `spirv-as` reads is not a module, and the message says what makes one of it.
; FILE: %t.spvasm
;   ; SPIR-V
;   ; Version: 1.0
;   OpCapability Shader
; RUN: trim %t.spvasm -o %t.spv
; EXIT: 1
