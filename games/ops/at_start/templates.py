"""Templates are those of the start, also the ones that nobody has asked for before a new version came."""

from __future__ import annotations

from pathlib import Path

from django.template import Origin, TemplateDoesNotExist
from django.template.loaders import filesystem
from django.template.utils import get_app_template_dirs

from games.ops.at_start import files


class Loader(filesystem.Loader):
    """Django's loaders of the settings' folders and of the apps', reading what the process has kept."""

    def get_dirs(self) -> list[str | Path]:
        """Return the folders, in the order in which they are searched."""
        return [*self.engine.dirs, *get_app_template_dirs("templates")]

    def get_contents(self, origin: Origin) -> str:
        """Return a template's text; raises TemplateDoesNotExist."""
        try:
            return files.text(Path(origin.name))
        except (FileNotFoundError, NotADirectoryError):
            raise TemplateDoesNotExist(str(origin.template_name)) from None
