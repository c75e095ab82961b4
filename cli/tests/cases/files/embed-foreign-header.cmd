; A header that someone else wrote stays.
; RUN: trim %fixtures/spec/precision.spv -o %t.S --embed incbin -q
; MESSAGES: facts
; EXIT: 2
; DIS: none
; FILE: %t.h
;   #define OWN 1
