; RUN: specialize --help
