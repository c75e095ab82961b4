; RUN: sycl add-on --help
