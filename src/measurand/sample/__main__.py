"""Make the built-in sample anew: `python -m measurand.sample`."""

from measurand.sample import Campaign, folder, write

if __name__ == "__main__":
    write(Campaign(), folder())
