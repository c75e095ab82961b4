; EXIT: 2
; DIS: none
; RUN: bundle -q %fixtures/merge/scale.spv -o %t.spvb --ready
; RUN: unbundle %t.spvb -o %t/ --set slow:true
