; RUN: condition -1,fp16
; EXIT: 2
