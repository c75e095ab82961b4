; The beginning of names of architectures is no name, and the error lists the names that begin so.
; RUN: condition 'arch(intel_gpu_bmg)'
; MESSAGES: facts
; EXIT: 2
