#!/bin/sh
# Opens the house's page in the browser of this computer.
port=$(sed -n 's/^PORT=["'\'']\{0,1\}\([0-9]*\).*/\1/p' /etc/stammtisch.env 2>/dev/null | tail -n 1)
exec xdg-open "http://localhost:${port:-8000}/"
