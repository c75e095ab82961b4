; RUN: condition -11,5
; EXIT: 2
