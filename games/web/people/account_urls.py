"""The addresses of accounts: some pages of django-allauth, and pages of this house."""

from __future__ import annotations

from allauth.account import views
from allauth.account.decorators import secure_admin_login
from allauth.usersessions.views import list_usersessions
from django.contrib import admin
from django.urls import path

from games.web.people import claims

_RESET = "password/reset/"
# One login for all, with its limits: the admin's own would allow endless guesses at passwords.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("signup/", views.signup, name="account_signup"),
    path("login/", views.login, name="account_login"),
    path("logout/", views.logout, name="account_logout"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("confirm/", views.reauthenticate, name="account_reauthenticate"),
    path("password/", views.password_change, name="account_change_password"),
    path("password/set/", views.password_set, name="account_set_password"),
    path(_RESET, views.password_reset, name="account_reset_password"),
    path(f"{_RESET}sent/", views.password_reset_done, name="account_reset_password_done"),
    path(
        f"{_RESET}done/",
        views.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path(
        f"{_RESET}<slug:uidb36>/<slug:key>/",
        views.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path("email/", views.email, name="account_email"),
    path("email/sent/", views.email_verification_sent, name="account_email_verification_sent"),
    path("email/<str:key>/", views.confirm_email, name="account_confirm_email"),
    path("devices/", list_usersessions, name="usersessions_list"),
    path("claim/", claims.account_claim, name="account_claim"),
]
