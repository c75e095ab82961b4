; RUN: specialize %fixtures/adapted/hints.spv --adapt --capabilities Kernel,Addresses,Linkage -o %t.spv
; EXIT: 3
