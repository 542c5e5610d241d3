"""An evening, and the laws of the gallery, in the engines of other browsers than the newest Chromium.

`engines.py` names them and what each needs, `page.py` is one page in one of them, `drivers/` runs in the engine's own
environment and does there what a page is asked; `people.py` are those who tap there, `stage.py` shows the gallery's
states.

`python -m tests.engines` lists the engines; `install` makes their environments, as `make test-engines` does first.
"""
