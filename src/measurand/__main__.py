"""`python -m measurand`: the command line, where the program itself is not on the path."""

from measurand.cli import main

if __name__ == "__main__":
    main("python -m measurand")
