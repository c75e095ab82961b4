; Products are shown by the names that people have for them.
; RUN: devices --aspect ext_oneapi_cuda_cluster_group --aspect fp64
