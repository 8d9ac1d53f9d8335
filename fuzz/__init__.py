"""Fuzzing: cases drawn from a seed, tried on what is written in C and on what reads files; see README.md."""
