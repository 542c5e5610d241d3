"""The engines that are tried today, or all; what each lacks; and their environments: `python -m tests.engines`."""

from __future__ import annotations

import argparse
import os

from tests.engines.engines import of_day


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m tests.engines", description=__doc__)
    parser.add_argument("act", nargs="?", choices=["list", "packages", "install"], default="list")
    act = parser.parse_args().act
    for engine in of_day(os.environ.get("ENGINE", "")):
        if act == "install":
            engine.install()
        elif act == "packages":
            print(*engine.packages_missing())
        else:
            print(f"{engine.name:13} {engine.words}: {', '.join(engine.missing()) or 'is there'}")


main()
