; RUN: condition "fp64 && !arch(intel_gpu_pvc)" --device intel_gpu_pvc --device x86_64 --device intel_gpu_dg1
