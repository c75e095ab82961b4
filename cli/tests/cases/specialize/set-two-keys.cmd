; One constant cannot have two values, by whatever it is named. The same value twice is one.
; RUN: specialize -q %fixtures/spec/precision.spv -o %t.same.spv --set 0:true --set use_half:1
; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --set 0:true --set use_half:false
; MESSAGES: facts
; EXIT: 2
; DIS: none
