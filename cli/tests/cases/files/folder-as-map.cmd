; No result is written if one cannot be: a name with a separator at the end is that of a folder.
; RUN: specialize %fixtures/spec/precision.spv --set 0:true --map %t.map/ -o %t.spv
; EXIT: 1
