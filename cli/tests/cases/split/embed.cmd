; The images of a module as source code, with their properties and symbols beside them as ever; the map names what was written.
; RUN: split %fixtures/stages/linked.spv --mode kernel --embed incbin -o %t.one --map %t.map.json
; RUN: split %fixtures/stages/linked.spv --mode kernel --embed c --embed-name many -o %t.two
; MESSAGES: facts
; EXIT: 2
; DIS: none
