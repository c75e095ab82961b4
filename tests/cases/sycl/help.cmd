; RUN: sycl filter --help
