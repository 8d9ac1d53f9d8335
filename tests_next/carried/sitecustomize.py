"""What Python runs first in every process whose path has this folder."""

import hook  # noqa: F401
