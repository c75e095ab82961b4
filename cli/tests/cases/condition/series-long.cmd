; RUN: condition -1,5,-1,6
; EXIT: 2
