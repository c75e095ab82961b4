; RUN: inspect --help
