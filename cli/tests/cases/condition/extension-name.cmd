; Names of SPIR-V extensions begin with SPV_.
; RUN: condition 'fp16 || ext(KHR_expect_assume)'
; EXIT: 2
