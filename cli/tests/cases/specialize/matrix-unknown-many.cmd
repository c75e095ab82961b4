; Values of constants that the module does not have count for nothing.
; RUN: specialize %fixtures/spec/precision.spv -o %t.spv --set 0:true --ignore-unknown --set 100:0,1 --set 101:0,1 --set 102:0,1 --set 103:0,1 --set 104:0,1 --set 105:0,1 --set 106:0,1 --set 107:0,1 --set 108:0,1 --set 109:0,1 --set 110:0,1 --set 111:0,1 --set 112:0,1 --set 113:0,1 --set 114:0,1 --set 115:0,1 --set 116:0,1
; RUN: specialize %fixtures/spec/precision.spv -o %t.two.spv --set 0:true,false --set 100:0,1 --ignore-unknown
; MESSAGES: facts
; DIS: none
; EXIT: 2
