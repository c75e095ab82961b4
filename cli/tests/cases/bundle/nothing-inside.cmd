; EXIT: 1
; FILE: %t.txt
;   no module
; RUN: bundle %t.txt -o %t.spvb
; MESSAGES: facts
