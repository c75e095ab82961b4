; RUN: condition "fp16 && (fp64 || gpu"
; EXIT: 2
