; RUN: unbundle --help
