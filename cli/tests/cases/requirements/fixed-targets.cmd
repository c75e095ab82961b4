; A unit for two devices calls a function of one that is for one of them, and the other way round: the image is for what both are for, and a
; warning says so. A function that is for any device is warned of too.
; RUN: sycl post-link %fixtures/program/means.spv %fixtures/program/sums.spv --mode off -o %t.narrower.table --fixed-targets %fixtures/program/means.spv=intel_gpu_pvc,intel_gpu_dg1 --fixed-targets %fixtures/program/sums.spv=intel_gpu_pvc
; RUN: sycl post-link %fixtures/program/means.spv %fixtures/program/sums.spv --mode off -o %t.same.table --fixed-targets intel_gpu_pvc
; RUN: sycl post-link %fixtures/program/means.spv %fixtures/program/sums.spv --mode off -o %t.none.table --fixed-targets %fixtures/program/means.spv=intel_gpu_pvc
; DIS: none
