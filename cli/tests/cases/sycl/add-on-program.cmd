; A program of two translation units: an exported function that images of both call has an image of its own.
; RUN: sycl add-on %fixtures/program/means.spv %fixtures/program/sums.spv --mode kernel -o %t.table
; MESSAGES: facts
; DIS: %t.means.spv %t.sum_row.spv
; SHOW: OpCapability OpEntryPoint Linkage OpFunction
