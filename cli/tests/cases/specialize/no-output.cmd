; RUN: specialize in.spv --device x86_64
; EXIT: 2
