; Options of specialize with which devices run a module: counted, by device, and for a device that must run it.
; RUN: inspect %fixtures/traps/helper-O2.spv
; RUN: inspect %fixtures/traps/helper-O2.spv --devices 'intel_gpu_dg*'
; RUN: inspect %fixtures/spec/precision.spv --devices 'vulkan_vp_android_*'
; RUN: inspect %fixtures/traps/helper-O2.spv -q --require-devices intel_gpu_acm_g10
; MESSAGES: facts
; EXIT: 3
; DIS: none
