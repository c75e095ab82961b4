; RUN: devices --aspect fp64 --aspect cpu
