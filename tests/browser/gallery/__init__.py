"""The states of a table as pages to be measured and drawn: no server, no database, one page.

`states.py` finds them in random play, `chouette.py` and `chicago.py` name them, `stage.py` shows
them on the table's own page, `laws.py` says what is wrong with one, `pictures.py` draws them.

`python -m tests.browser.gallery` lists the states; `--faults` measures them, `--pictures` draws
contact sheets into var/pictures. GAME, or GAME and words of a state's name, chooses.
"""
