"""Exported files: results and sheets as CSV, logs, a game's own formats, a night as a zip."""

from __future__ import annotations

from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import log_access, night_access
from games.api.base import View
from games.api.fields import Shape
from games.api.nights.nights import INSIDE
from games.api.schema import described
from games.api.tables.grades import viewer_of
from games.api.tables.tables import table_of
from games.services.history import exports
from games.streams import download

TAG = "files"
AT_TABLE = "not_inside removed no_such_table"


class FileSerializer(Shape):
    """A file for download."""

    name = serializers.CharField()
    url = serializers.CharField()


class FilesSerializer(Shape):
    """A list of files."""

    files = FileSerializer(many=True)


def _links(name: str, public_id: str, names: list[str]) -> Response:
    """Return the names of files with their addresses."""
    links = [{"name": n, "url": reverse(name, args=[public_id, n])} for n in names]
    return Response({"files": links})


class NightFiles(View):
    """The files of a night."""

    @described("listNightFiles", "The files of a night", FilesSerializer, tag=TAG, codes=INSIDE)
    def get(self, request: Request, public_id: str) -> Response:
        """Return the names and addresses of a night's files."""
        night = night_access(request, public_id)
        return _links("api_night_file", public_id, exports.night_names(night))


class NightFile(View):
    """A file of a night."""

    @described(
        "getNightFile",
        "A file of a night: results, rolls or a sheet as CSV, everything as a zip",
        {(200, "text/csv"): OpenApiTypes.STR, (200, "application/zip"): OpenApiTypes.BINARY},
        tag=TAG,
        codes=f"{INSIDE} no_such_file",
    )
    def get(self, request: Request, public_id: str, name: str) -> HttpResponseBase:
        """Return a night's file."""
        return download(exports.night_file(night_access(request, public_id), name))


class TableFiles(View):
    """The files of a table."""

    @described(
        "listTableFiles",
        "The files of a table; before it is finished its rolls and grades alone",
        FilesSerializer,
        tag=TAG,
        codes=AT_TABLE,
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the names and addresses of a table's files."""
        right = log_access(request, public_id)
        table = table_of(right)
        return _links("api_table_file", public_id, exports.table_names(table, viewer_of(request, right, table)))


class TableFile(View):
    """A file of a table."""

    @described(
        "getTableFile",
        "A file of a table: rolls and grades as CSV; when it is finished its log in JSON, or a format of its game's",
        {
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "text/plain"): OpenApiTypes.STR,
            (200, "application/json"): OpenApiTypes.OBJECT,
        },
        tag=TAG,
        codes=f"{AT_TABLE} not_finished no_such_file",
    )
    def get(self, request: Request, public_id: str, name: str) -> HttpResponseBase:
        """Return a table's file."""
        right = log_access(request, public_id)
        table = table_of(right)
        return download(exports.table_file(table, name, viewer_of(request, right, table)))
