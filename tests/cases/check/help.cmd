; RUN: check --help
