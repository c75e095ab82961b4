; RUN: condition -7,5
; EXIT: 2
