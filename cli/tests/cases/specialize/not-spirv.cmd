; RUN: specialize %t.bad.spv -o %t.spv --device x86_64
; MESSAGES: facts
; FILE: %t.bad.spv
;   text
; EXIT: 1
