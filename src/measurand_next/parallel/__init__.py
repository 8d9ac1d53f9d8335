"""Work for several workers, and signals that end it; nothing is loaded here, so that signals are heard soon."""
