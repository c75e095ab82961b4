; RUN: merge --help
