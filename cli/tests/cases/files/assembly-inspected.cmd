; FILE: %t.spvasm
;   ; Written by hand.
;   
;   OpCapability Shader
; RUN: inspect %t.spvasm
; MESSAGES: facts
; EXIT: 1
