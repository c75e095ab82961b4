; The beginning of names is no name, and the error lists the names that begin so.
; RUN: condition fp16 --device nvidia
; EXIT: 2
