; RUN: sycl post-link --help
