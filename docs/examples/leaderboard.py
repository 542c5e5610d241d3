"""Print the leaderboards of a night: `leaderboard.py HOUSE NIGHT`, the token in STAMMTISCH_TOKEN.

HOUSE is the address of a Stammtisch server; without NIGHT it is the newest one that you are in.
Needs Python 3.11 and nothing else.
"""

import json
import os
import sys
import urllib.error
import urllib.request


def ask(house: str, path: str, token: str) -> dict:
    """Return what the house answers; ends the program where it refuses."""
    language = os.environ.get("LANG", "en").split(".")[0].replace("_", "-")
    headers = {"Authorization": f"Bearer {token}", "Accept-Language": language}
    request = urllib.request.Request(f"{house}/api/v1/{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        error = json.load(refusal)
        sys.exit(f"{error['message']} ({error['code']})")
    except urllib.error.URLError as failure:
        sys.exit(f"{house} does not answer: {failure.reason}")


def table(board: dict) -> list[str]:
    """Return a board as lines: place, name, games, points."""
    lines = [f"{board['game']}: {board['label']}"]
    width = max(len(row["name"]) for row in board["rows"])
    for row in board["rows"]:
        games = f"{row['won']} of {row['played']} won"
        lines.append(f"{row['place']:>4}. {row['name']:<{width}}  {games:<12} {row['points']:>5}")
    for payment in board["payments"]:
        to = f" to {payment['to']['name']}" if payment["to"] else ""
        lines.append(f"      {payment['who']['name']} pays {payment['points']}{to}")
    return lines


def main(house: str, night: str = "") -> None:
    """Print all boards of a night."""
    token = os.environ.get("STAMMTISCH_TOKEN", "")
    house = house.rstrip("/")
    if not night:
        nights = ask(house, "nights/?page_size=1", token)["results"]
        night = nights[0]["id"] if nights else sys.exit("You have been at no night yet.")
    told = ask(house, f"nights/{night}/", token)
    print(f"{told['name']}, {told['created_at'][:10]}, {told['people']} people")
    for board in ask(house, f"nights/{night}/leaderboard/", token)["boards"]:
        print("", *table(board), sep="\n")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
