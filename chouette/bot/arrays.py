"""NumPy, imported here and nowhere else in backgammon, so that it computes in one thread.

The nets multiply small arrays: a second thread gains nothing, and waits for a core wherever
a table, a browser or another process is busy (a play with look-ahead then takes three times
as long). The libraries read these variables when they are loaded, so they have to be set
before NumPy is imported; a value that the environment already has is kept.
"""

from __future__ import annotations

import os

for _variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

import numpy as np  # noqa: E402
import numpy.typing as npt  # noqa: E402

__all__ = ["np", "npt"]
