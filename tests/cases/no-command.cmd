; RUN: 
; EXIT: 2
