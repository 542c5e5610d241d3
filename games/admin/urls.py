"""The admin's addresses. Importing this module registers the models of the other apps, then this house's."""

from __future__ import annotations

from importlib import import_module

from allauth.account.decorators import secure_admin_login
from django.contrib import admin

admin.autodiscover()
import_module("games.admin.registrations")
# One login for all, with its limits: the admin's own would allow endless guesses at passwords.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns, _app, _namespace = admin.site.urls
