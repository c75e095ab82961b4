; RUN: specialize - -o - --device x86_64
; EXIT: 1
