; What the module does not have makes no combinations, and one warning.
; RUN: specialize -q %fixtures/spec/precision.spv -o %t/ --set 0:true,false --set 99:1,2 --set-default tile:3 --ignore-unknown --map %t.map.json
; MESSAGES: facts
; DIS: none
