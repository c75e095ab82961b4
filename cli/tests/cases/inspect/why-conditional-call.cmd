; What only a conditional call needs: function pointers, as long as the module is not packed.
; DIS: none
; RESULT-ENV: opencl2.2
; RUN: inspect %fixtures/opencl/import.spv --why FunctionPointersINTEL
; RUN: inspect %fixtures/opencl/import.spv --why SPV_INTEL_function_pointers
; RUN: inspect %fixtures/opencl/import.spv --why Kernel
; RUN: pack %fixtures/opencl/import.spv -o %t.spv -q
; RUN: inspect %t.spv --why FunctionPointersINTEL
; RUN: inspect %fixtures/opencl/device_if.spv --why Float16Buffer
