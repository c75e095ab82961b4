; Devices that take no kernels are one error of the module, in the words of the report.
; RUN: inspect %fixtures/check/hw-g.spv --require-devices vulkan_vp_android_2022 --format github
; EXIT: 3
