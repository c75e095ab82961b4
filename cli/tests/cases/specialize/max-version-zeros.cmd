; RUN: specialize - -o %t.spv --set 0:true --max-version 01.3
; EXIT: 2
