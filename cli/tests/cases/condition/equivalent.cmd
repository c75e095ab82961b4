; Different expressions of one function have one canonical form.
; RUN: condition 'fp16 && !(fp64 && fp16)'
; RUN: condition '!(fp64 || !fp16)'
; RUN: condition 'aspect(5) && aspect(fp16) && !aspect(6)'
