"""Values as sums of one number from each of some independent blocks, met in the middle."""
