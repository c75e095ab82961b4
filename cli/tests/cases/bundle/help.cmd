; RUN: bundle --help
