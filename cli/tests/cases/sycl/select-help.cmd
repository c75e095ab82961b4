; RUN: sycl select --help
