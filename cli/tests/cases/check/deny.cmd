; Two modules: one has nothing to warn of. Quiet does not hide warnings.
; RUN: check %fixtures/opencl/plain.spv %fixtures/check/hw-g.spv
; RUN: check -q %fixtures/check/double-gVS.spv --fixed-targets intel_gpu_pvc
; RUN: check --deny-warnings %fixtures/opencl/plain.spv --fixed-targets x86_64,x86_64
; RUN: check --deny-warnings -q %fixtures/opencl/plain.spv %fixtures/check/double-gVS.spv --fixed-targets intel_gpu_dg1
; EXIT: 1
