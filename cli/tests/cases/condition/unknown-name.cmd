; RUN: condition "fp61 && gpu"
; EXIT: 2
