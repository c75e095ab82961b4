; RUN: specialize %fixtures/adapted/hints.spv --adapt --capabilities Kernel,Addresses,Linkage -o %t.spv
; MESSAGES: facts
; EXIT: 3
