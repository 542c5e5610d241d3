"""The addresses of accounts: some pages of django-allauth, and pages of this house."""

from __future__ import annotations

from allauth.account import views
from allauth.mfa.base import views as code_views
from allauth.mfa.recovery_codes import views as recovery_views
from allauth.mfa.totp import views as app_views
from allauth.usersessions.views import list_usersessions
from django.urls import path

from games.web.people import claims
from games.web.people.two_factor import of_staff

_RESET = "password/reset/"
_NEW_CODES, _CODES_FILE = "mfa_generate_recovery_codes", "mfa_download_recovery_codes"

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
    path("two-factor/", of_staff(code_views.index), name="mfa_index"),
    path("two-factor/code/", code_views.authenticate, name="mfa_authenticate"),
    path("two-factor/confirm/", code_views.reauthenticate, name="mfa_reauthenticate"),
    path("two-factor/on/", of_staff(app_views.activate_totp), name="mfa_activate_totp"),
    path("two-factor/off/", of_staff(app_views.deactivate_totp), name="mfa_deactivate_totp"),
    path("two-factor/recovery/", of_staff(recovery_views.view_recovery_codes), name="mfa_view_recovery_codes"),
    path("two-factor/recovery/new/", of_staff(recovery_views.generate_recovery_codes), name=_NEW_CODES),
    path("two-factor/recovery/file/", of_staff(recovery_views.download_recovery_codes), name=_CODES_FILE),
    path("claim/", claims.account_claim, name="account_claim"),
]
