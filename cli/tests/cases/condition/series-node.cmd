; RUN: condition -12,5
; EXIT: 2
