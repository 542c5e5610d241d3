"""`python -m tests.fuzz 1000000 [SEED]`: so many inputs, and how many each target had."""

import os
import sys

import django


def main() -> None:
    """Throw what is asked for."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from tests.fuzz.run import throw

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    total = 0
    for tally in throw(count, seed):
        total += tally.inputs
        print(f"{tally.target:<22}{tally.inputs:>9,} inputs{tally.seconds:>8.1f} s", flush=True)
    print(f"{total:,} inputs: nothing was raised but refusals.")


if __name__ == "__main__":
    main()
