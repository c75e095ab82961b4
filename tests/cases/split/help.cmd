; RUN: split --help
