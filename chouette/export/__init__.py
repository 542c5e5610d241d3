"""Files for other programs: a session as one member saw it against the Box.

Pure Python: from the log's events alone, as `games.kernel.replay` has them. All of it
holds only what everybody at the table could see: no talk, no sealed word, no proposal.
"""

from chouette.export.files import files
from chouette.export.mat import mat
from chouette.export.sgf import sgf

__all__ = ["files", "mat", "sgf"]
