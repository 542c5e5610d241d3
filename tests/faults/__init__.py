"""Faults: real servers, real signals, and players who keep a journal of what they were told.

The tests have a share of each; the full sizes are commands:

* `python -m tests.faults.kills 200`: a server is killed under load, at random points;
* `python -m tests.faults.evenings 60`: minutes of evenings with servers killed, people merged and deleted;
* `python -m tests.faults.storm 100000`: random commands, doubled, late, out of order, from
  eight seats' devices on two servers, are the log of a serial run;
* `python -m tests.faults.outages`: PostgreSQL away for 10 s, Redis flushed and away for 30 s,
  servers and the clock's process killed;
* `python -m tests.faults.crowds 1000`: sockets that all die at once, readers who never read.

After each the journals and `manage.py check_logs` are the proof (checks.py).
"""
