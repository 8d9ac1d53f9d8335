"""Runs as words of digits, worth a geometric sum: automata that know their ties."""
