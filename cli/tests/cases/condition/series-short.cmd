; RUN: condition -4,-1,5
; EXIT: 2
