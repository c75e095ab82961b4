; RUN: condition -9,5
; EXIT: 2
