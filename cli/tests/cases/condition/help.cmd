; RUN: condition -h
