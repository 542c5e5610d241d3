"""Settings, from the environment, with defaults that are safe on a pub's own network.

docs/operations.md lists the variables. Nothing secret is in this file: the secret key is
made at first use and kept in the data folder, which git does not track.
"""

from __future__ import annotations

import os
from pathlib import Path

import dj_database_url
from csp.constants import NONCE, NONE, SELF
from django.utils.translation import gettext_lazy as _

from games import between, mail
from games.environment import Unusable, data_folder, env_flag, env_list, keep_private, kept_secret, origins

BASE_DIR = Path(__file__).resolve().parent.parent
try:
    DATA_DIR = data_folder(Path(os.environ.get("STAMMTISCH_DATA") or BASE_DIR / "var").absolute())
    SECRET_KEY = kept_secret(DATA_DIR)
except Unusable as error:
    # A sentence and no traceback, whichever program reads the settings.
    raise SystemExit(str(error)) from None
DEBUG = env_flag("DEBUG")
# Where QR codes and links lead, e.g. "https://games.example.org"; empty: the LAN address
# that `manage.py serve` found, or where a connection arrived.
PUBLIC_URL = os.environ.get("PUBLIC_URL", "").rstrip("/")
# Host names besides the house's own (games/addresses.py): its addresses, and that of PUBLIC_URL.
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS")
# Pages of PUBLIC_URL are the house's own, whatever a proxy makes of the Host.
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS") + origins(PUBLIC_URL)
BEHIND_TLS = env_flag("BEHIND_TLS")
# The proxies whose X-Forwarded-For and X-Forwarded-Proto count; nobody else's do.
PROXIES = env_list("PROXIES", "127.0.0.1,::1" if BEHIND_TLS else "")
# Connections without an Origin come from no browser: bots and screens written by others.
ALLOW_NO_ORIGIN = env_flag("ALLOW_NO_ORIGIN")
# The admin: its path, and from which networks and under which host names it is there at all.
ADMIN_PATH = (os.environ.get("ADMIN_PATH", "").strip("/") or "admin") + "/"
ADMIN_NETWORKS = env_list("ADMIN_NETWORKS")
ADMIN_HOSTS = [name.lower() for name in env_list("ADMIN_HOSTS")]

INSTALLED_APPS = [
    "daphne",
    # Before Django's own apps: where both translate a text, ours is meant.
    "games",
    "chouette",
    "chicago",
    "games.admin_site.HouseAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.usersessions",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    # What a middleware says no to passes through those above it only.
    "games.places.Pages",
    "games.guard.Headers",
    "csp.middleware.CSPMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "servestatic.middleware.ServeStaticMiddleware",
    "games.web.identity.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "games.bodies.BodyLimit",
    "games.web.busy.Busy",
    "games.guard.AdminDoor",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "games.web.identity.PlayerMiddleware",
    "games.web.limiting.Limits",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "games.urls"
CSRF_FAILURE_VIEW = "games.web.errors.form_refused"
ASGI_APPLICATION = "games.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.web.context.page",
            ]
        },
    }
]

DATABASE_URL = os.environ.get("DATABASE_URL", f"sqlite:///{DATA_DIR / 'stammtisch.sqlite3'}")
DATABASES = {
    "default": dj_database_url.parse(
        # Kept open; one that PostgreSQL has closed meanwhile is opened again.
        DATABASE_URL,
        conn_max_age=None,
        conn_health_checks=True,
    )
}
# So many pages are made at a time; on PostgreSQL they share as many connections.
DATABASE_POOL = max(1, int(os.environ.get("DATABASE_POOL", "10")))
if DATABASES["default"]["ENGINE"].endswith("postgresql"):
    DATABASES["default"]["ENGINE"] = "games.database.postgresql"
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    _database = str(DATABASES["default"]["NAME"])
    keep_private(Path(f"{_database}{end}") for end in ("", "-wal", "-shm"))
    DATABASES["default"]["OPTIONS"] = {
        # A writer takes its lock at BEGIN: no deadlock by upgrading a read lock later.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CHANNEL_LAYERS = {"default": between.layer(os.environ.get("REDIS_URL", ""))}
CACHES = {"default": between.cache(os.environ.get("REDIS_URL", ""))}

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
LOGIN_URL, LOGIN_REDIRECT_URL = "account_login", "me"
ACCOUNT_ADAPTER = "games.web.account_adapter.HouseAdapter"
USERSESSIONS_ADAPTER = "games.web.account_adapter.HouseSessionsAdapter"
# An account is a user name and a password; an address is for those who forget the password.
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_FORMS = {
    "signup": "games.web.account_forms.SignupForm",
    "login": "games.web.account_forms.LoginForm",
    "change_password": "games.web.account_forms.ChangePasswordForm",
    "reset_password": "games.web.account_forms.ResetPasswordForm",
    "reset_password_from_key": "games.web.account_forms.ResetPasswordKeyForm",
    "add_email": "games.web.account_forms.AddEmailForm",
}
ACCOUNT_SESSION_REMEMBER = True
# A sign-up and a new address say the same whether or not somebody else has the address.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_RATE_LIMITS = {
    # Logins of an address are counted where the device is looked at (web.account_adapter).
    "login": None,
    "login_any": "30/m/ip",
    "login_failed": "10/m/ip,5/5m/key",
    # Of an account, on one device where it has been logged in.
    "login_known": "5/5m/key",
}
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""

# Mail goes to the console until EMAIL_URL names a server (docs/operations.md).
_mail = mail.read(os.environ.get("EMAIL_URL", "console:"))
EMAIL_BACKEND = _mail["backend"]
EMAIL_HOST, EMAIL_PORT = _mail["host"], _mail["port"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail["user"], _mail["password"]
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail["tls"], _mail["ssl"]
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("EMAIL_FROM", "stammtisch@localhost")

SESSION_COOKIE_AGE = 180 * 24 * 3600
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BEHIND_TLS
SECURE_SSL_REDIRECT = BEHIND_TLS
SECURE_HSTS_SECONDS = 31_536_000 if BEHIND_TLS else 0
# Other hosts of the domain, and the lists in browsers, are for those who say so.
SECURE_HSTS_INCLUDE_SUBDOMAINS = env_flag("HSTS_SUBDOMAINS") or env_flag("HSTS_PRELOAD")
SECURE_HSTS_PRELOAD = env_flag("HSTS_PRELOAD")
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if PUBLIC_URL.startswith("https://"):
    SECURE_SSL_HOST = origins(PUBLIC_URL)[0].removeprefix("https://")
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# games/bodies.py bounds whole bodies, files too, at the same length.
DATA_UPLOAD_MAX_MEMORY_SIZE = 65_536
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
    }
}

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("de", _("German")), ("nb", _("Norwegian"))]
LOCALE_PATHS: list[str] = []
LANGUAGE_COOKIE_AGE = SESSION_COOKIE_AGE
TIME_ZONE = os.environ.get("TIME_ZONE", "Europe/Berlin")
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage" if DEBUG else "games.static_storage.Storage"
    },
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.api.authentication.TokenAuthentication",
        "games.api.authentication.PlayerAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "games.api.negotiation.OnlyJson",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "games.api.errors.handler",
    "DEFAULT_THROTTLE_RATES": {
        # Wrong room codes: of an address, and of all addresses together.
        "code": "10/min",
        "code_house": "600/min",
        # New guests of an address: a full pub comes in at once, a flood does not.
        "guest": "240/min",
        "join": "30/min",
        "password": "10/min",
        "command": "120/min",
        # What is only read: by an address that says nothing of itself, by a player or token.
        "anonymous": "120/min",
        "asker": "600/min",
        # What is counted by these names, and for whom, is in games/limits.py.
        "stranger": "1200/min",
        "rename": "6/min",
        "night": "6/min",
        "table": "20/min",
        "rules": "30/min",
        "correction": "20/min",
        "chat": "40/min",
        "heavy": "120/min",
        "export": "20/min",
    },
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Stammtisch",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "DISABLE_DOCSTRING_DESCRIPTIONS": True,
    "SORT_OPERATIONS": False,
    "SORT_OPERATION_PARAMETERS": False,
    "POSTPROCESSING_HOOKS": ["games.api.described.finish"],
}

# How many tables a night may have in all, and how many nights that are not closed one host may
# have; the house's staff may have more. 0 is no limit.
TABLES_PER_NIGHT = int(os.environ.get("TABLES_PER_NIGHT", "200"))
NIGHTS_PER_HOST = int(os.environ.get("NIGHTS_PER_HOST", "12"))
# How many pages that go over many results are made at a time, and how long one waits for its turn.
HEAVY_PAGES = int(os.environ.get("HEAVY_PAGES", "1"))
HEAVY_SECONDS = float(os.environ.get("HEAVY_SECONDS", "10"))

# How long a bot thinks before it acts, in seconds: long enough to be followed by eye.
BOT_DELAY = float(os.environ.get("BOT_DELAY", "1.1"))
# How long a bot may think before the house answers in its place.
BOT_SECONDS = 5.0
# The clock runs in a thread of the server process; `off` when `manage.py run_clock` does it.
CLOCK = os.environ.get("CLOCK", "thread")
HOST_AWAY_SECONDS = 300
# How long a guest's own device may say no before hosts let another one go on in its place.
VETO_SECONDS = int(os.environ.get("VETO_SECONDS", "60"))
# The live line's limits, per server process; 0 is no limit (docs/protocol.md §7).
SOCKETS_PER_ADDRESS = int(os.environ.get("SOCKETS_PER_ADDRESS", "60"))
# Network connections, per server process; 0: as many as the system grants, and no bound.
CONNECTIONS = int(os.environ.get("CONNECTIONS", "0"))
CONNECTIONS_PER_ADDRESS = int(os.environ.get("CONNECTIONS_PER_ADDRESS", "1000"))
SOCKETS_PER_GUEST = int(os.environ.get("SOCKETS_PER_GUEST", "5"))
MESSAGES_PER_20S = int(os.environ.get("MESSAGES_PER_20S", "50"))
MESSAGES_PER_20S_PLAYING = int(os.environ.get("MESSAGES_PER_20S_PLAYING", "100"))

# Who may read /metrics: with the token, or without one directly from these addresses.
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")
METRICS_ALLOW = env_list("METRICS_ALLOW", "127.0.0.1,::1")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "games.logs.LineFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "games.logs.JsonFormatter"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if os.environ.get("LOG_FORMAT") == "json" else "line",
        }
    },
    # Whoever asks under made-up names must not fill the log; games/scopes.py tells of it once.
    "loggers": {"django.security.DisallowedHost": {"level": "CRITICAL"}},
    "root": {"handlers": ["console"], "level": os.environ.get("LOG_LEVEL", "WARNING")},
}
