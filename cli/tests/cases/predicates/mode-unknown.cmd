; RUN: condition 'fp16' --device gfx1100:xnack+
; EXIT: 2
