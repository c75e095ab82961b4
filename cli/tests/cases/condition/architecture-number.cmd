; Architectures that the table does not have compare by their numbers; a number that it has may be one of the device registry.
; RUN: condition 'arch(300) && !arch(301) && !arch(intel_gpu_pvc)' --architecture 300
; RUN: condition 'arch(300)' --architecture 301
; RUN: condition 'arch(20)' --architecture 20
; EXIT: 2
