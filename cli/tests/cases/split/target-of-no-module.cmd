; RUN: split %fixtures/opencl/plain.spv --fixed-targets other.spv=intel_gpu_pvc -o %t.spv
; EXIT: 2
