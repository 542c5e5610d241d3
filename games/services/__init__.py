"""The services: plain functions, the only code that writes the database.

Web, API, sockets, bots and the clock all call them. A refused request raises
`games.kernel.contract.Illegal` with a code that the caller translates.
"""
