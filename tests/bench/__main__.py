"""`make bench`: what the machine makes of the house and of the odds. Nothing is asserted."""

from __future__ import annotations

import os

import django


def main() -> None:
    """Run every benchmark on a database of its own that is thrown away."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from tests.bench import bench_house, bench_odds

    bench_house.main()
    print()
    bench_odds.main()


main()
