; Kernels at -O0 and -O3, for devices with numbers on the command line.
; RUN: pack -q %fixtures/decisions/numbers-O0.spv -o %t.O0.spv
; RUN: pack -q %fixtures/decisions/numbers-O3.spv -o %t.O3.spv
; RUN: specialize -v %t.O0.spv --device intel_gpu_pvc --limits opencl_version=3.0,max_shared_memory=65536 -o %t.O0.pvc.spv
; RUN: specialize -v %t.O3.spv --device x86_64 --limits opencl_version=1.2,max_shared_memory=65536,max_work_group_size=128 -o %t.O3.cpu.spv
; MESSAGES: facts
; DIS: none
