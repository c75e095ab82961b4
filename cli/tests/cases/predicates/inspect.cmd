; RUN: inspect %fixtures/amd/kernels-O2.spv
; RUN: check %fixtures/amd/kernels-O2.spv
