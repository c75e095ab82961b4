; RUN: specialize %fixtures/adapted/hints.spv --adapt --capabilities Kernel,Addresses,Linkage,Int64 -o %t.spv
; SHOW: OpCapability OpExtension Assume
