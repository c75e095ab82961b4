; FILE: %t.spvasm
;   ; Written by hand.
;   
;   OpCapability Shader
; RUN: inspect %t.spvasm
; EXIT: 1
