; RUN: specialize x.spv --trap store:dst:3 -o x.out.spv
; EXIT: 2
