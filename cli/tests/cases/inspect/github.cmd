; What rules find, as annotations of a workflow of GitHub.
; RUN: inspect %fixtures/check/hw-g.spv --deny 'cap(Float64)' --require-devices intel_gpu_acm_g10 --format github
; EXIT: 1
