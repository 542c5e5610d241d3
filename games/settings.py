"""Settings, from the environment (games/ops/environment.py), safe on a pub's own network by default.

Nothing secret is in this file: the secret key is made at first use and kept in the data folder.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from csp.constants import NONCE, NONE, SELF
from django.utils.translation import gettext_lazy as _

from games.ops import environment, installed_games, variables
from games.ops.static import folders
from games.version import IS_INSTALLED, SOURCES

BASE_DIR = SOURCES
try:
    env = environment.read(os.environ)
    variables.check(env)
    DATA_DIR = environment.data_folder(Path(env.stammtisch_data or environment.usual_folder()).absolute())
    SECRET_KEY = env.secret_key or environment.kept_secret(DATA_DIR)
    IS_KEY_GIVEN = bool(env.secret_key)
    # With a slash at both ends; "/" for a house without a path.
    BASE_PATH = environment.base_path(env.base_path)
    # Announced as stammtisch.local; "" for not at all.
    LAN_NAME = environment.lan_name(env.lan_name)
    BACKUP_FOLDER = environment.backup_folder(env.backup_folder, DATA_DIR)
    BACKUP_KEY = environment.backup_key(env.backup_key)
    _database = environment.database(env.database_url, DATA_DIR)
    # EMAIL_BACKEND and the rest of Django's settings of mail.
    globals().update(environment.mail(env.email_url))
except environment.Unusable as error:
    # A sentence and no traceback, for every program that reads the settings.
    raise SystemExit(str(error)) from None
IS_SECRET_KEY_SET = bool(env.secret_key)
DEBUG = env.debug
HOST, PORT, WORKERS = env.host, env.port, env.workers
PUBLIC_URL = env.public_url.rstrip("/")
ALLOWED_HOSTS = list(env.allowed_hosts)
# Pages of PUBLIC_URL are the house's own, even if a proxy changes the Host.
CSRF_TRUSTED_ORIGINS = [*env.csrf_trusted_origins, *environment.origins(PUBLIC_URL)]
BEHIND_TLS = env.behind_tls
_usual_proxies = ("127.0.0.1", "::1") if BEHIND_TLS else ()
PROXIES = list(_usual_proxies if env.proxies is None else env.proxies)
ALLOW_NO_ORIGIN = env.allow_no_origin
WEBHOOKS_PRIVATE = env.webhooks_private
API_PATH = f"{BASE_PATH}api/"
API_V1_PATH = f"{API_PATH}v1/"
ADMIN_PATH = f"{BASE_PATH}{env.admin_path.strip('/') or 'admin'}/"
ADMIN_NETWORKS = list(env.admin_networks)
ADMIN_HOSTS = [name.lower() for name in env.admin_hosts]

INSTALLED_APPS = [
    "games.apps.HouseDaphneConfig",
    # Before Django's own apps: where both translate a text, ours counts.
    "games.apps.GamesConfig",
    "chouette",
    "chicago",
    "games.apps.HouseAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "servestatic.runserver_nostatic",
    "games.apps.HouseStaticFilesConfig",
    "channels",
    "csp",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
# Games that are installed beside the house; those that it starts without are told by the doctor and the log.
_installed = installed_games.find(INSTALLED_APPS)
INSTALLED_APPS += _installed.apps
GAMES_LEFT_OUT = _installed.left_out

MIDDLEWARE = [
    # The answer of a middleware that refuses passes only through the ones above it.
    "games.ops.requests.admin_door.headers",
    "csp.middleware.CSPMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "games.ops.requests.static_files.static_files",
    "games.web.identity.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "games.web.house.middleware.HouseMiddleware",
    "games.ops.requests.body_limit.BodyLimit",
    "games.web.busy.Busy",
    "games.ops.requests.admin_door.AdminDoor",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "games.web.identity.PlayerMiddleware",
    "games.web.rate_limit.RequestLimits",
    "django.contrib.messages.middleware.MessageMiddleware",
    "games.web.house.own_password.OwnPassword",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    # The innermost: only what the view asks of the database waits for moves.
    "games.ops.move_priority.AfterMoves",
]

ROOT_URLCONF = "games.urls"
CSRF_FAILURE_VIEW = "games.web.errors.form_refused"
ASGI_APPLICATION = "games.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # In a wheel they are in the house's app.
        "DIRS": [] if IS_INSTALLED else [BASE_DIR / "templates"],
        "OPTIONS": {
            # As Django's own loaders, of the files of the start (games/ops/at_start).
            "loaders": [("django.template.loaders.cached.Loader", ["games.ops.at_start.templates.Loader"])],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.web.context.page",
            ],
        },
    }
]

# Kept open; a connection that PostgreSQL has closed meanwhile is opened again.
DATABASES: dict[str, dict[str, Any]] = {"default": {**_database, "CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}}
DATABASE_POOL = max(1, env.database_pool)
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    environment.keep_private(Path(f"{_database['NAME']}{end}") for end in ("", "-wal", "-shm"))
    DATABASES["default"]["OPTIONS"] = {
        # A writer takes its lock at BEGIN: no deadlock by upgrading a read lock later.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CHANNEL_LAYERS = {"default": environment.layer(env.redis_url)}
CACHES = {"default": environment.cache(env.redis_url)}

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
ACCOUNT_ADAPTER = "games.web.people.account_adapter.HouseAdapter"
USERSESSIONS_ADAPTER = "games.web.people.account_adapter.HouseSessionsAdapter"
# An account is a user name and a password; an e-mail address is only for a forgotten password.
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_FORMS = {
    "signup": "games.web.people.account_forms.SignupForm",
    "login": "games.web.people.account_forms.LoginForm",
    "change_password": "games.web.people.account_forms.ChangePasswordForm",
    "reset_password": "games.web.people.account_forms.ResetPasswordForm",
    "reset_password_from_key": "games.web.people.account_forms.ResetPasswordKeyForm",
    "add_email": "games.web.people.account_forms.AddEmailForm",
}
ACCOUNT_SESSION_REMEMBER = True
# A sign-up and a new address get the same answer whether or not another account has the address.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_RATE_LIMITS = {
    # Login attempts are counted where the device is known (games/web/people/account_adapter.py).
    "login": None,
    "login_any": "30/m/ip",
    "login_failed": "10/m/ip,5/5m/key",
    # Attempts on an account from a device that has logged in to it.
    "login_known": "5/5m/key",
    # Mails are counted by recipient (games/services/mails/recipients.py): the pages say the same each time.
    "reset_password": "20/m/ip",
    "confirm_email": None,
}
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""

# The second factor of the staff: an app's codes. A phone and a small computer may differ by a minute.
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ADAPTER = "games.web.people.two_factor.Adapter"
MFA_FORMS = {
    "authenticate": "games.web.people.two_factor.CodeForm",
    "reauthenticate": "games.web.people.two_factor.ConfirmForm",
    "activate_totp": "games.web.people.two_factor.AppForm",
}
MFA_TOTP_PERIOD, MFA_TOTP_TOLERANCE = 30, 1
# A house without a mail server confirms no addresses.
MFA_ALLOW_UNVERIFIED_EMAIL = True

EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.email_from

SESSION_ENGINE = "games.ops.session_keys"
SESSION_COOKIE_AGE = 180 * 24 * 3600
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = LANGUAGE_COOKIE_PATH = BASE_PATH
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BEHIND_TLS
SECURE_SSL_REDIRECT = BEHIND_TLS
SECURE_HSTS_SECONDS = 31_536_000 if BEHIND_TLS else 0
# Opt-in: other hosts of the domain, and the preload lists of browsers.
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.hsts_subdomains or env.hsts_preload
SECURE_HSTS_PRELOAD = env.hsts_preload
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if PUBLIC_URL.startswith("https://"):
    SECURE_SSL_HOST = environment.origins(PUBLIC_URL)[0].removeprefix("https://")
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# The limit of a whole body, files too, under any server (games/ops/requests/body_limit.py).
DATA_UPLOAD_MAX_MEMORY_SIZE = 65_536
CONTENT_SECURITY_POLICY = {
    # Files need no policy of pages, and a table loads several on a slow connection.
    "EXCLUDE_URL_PREFIXES": (f"{BASE_PATH}static/",),
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
    },
}

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("en", _("English")),
    ("de", _("German")),
    ("nb", _("Norwegian")),
    ("fr", _("French")),
    ("it", _("Italian")),
]
# The languages whose texts a native has read: the pages of any other one say so (docs/translating.md).
READ_BY_NATIVES = {"en", "de", "nb"}
# Of a development server: every page is in this language, which nobody can choose (docs/translating.md).
PSEUDO_LANGUAGE = "en-xa"
IS_PSEUDO = env.pseudo
PSEUDO_FOLDER = DATA_DIR / "pseudo"
LOCALE_PATHS: list[Path] = [PSEUDO_FOLDER] if IS_PSEUDO else []
LANGUAGE_COOKIE_AGE = SESSION_COOKIE_AGE
# What the environment says of the house wins over what its staff have said (games/models/house.py).
try:
    HOUSE_FIXED = environment.house(env, [code for code, _name in LANGUAGES])
except environment.Unusable as error:
    raise SystemExit(str(error)) from None
# The zone until anybody has said one, and of the lines of the log.
TIME_ZONE = env.time_zone or "Europe/Berlin"
FORMAT_MODULE_PATH = "games.formats"
USE_TZ = True

STATIC_URL = f"{BASE_PATH}static/"
# The folder of now: a new version's is another one (games/management/static_files.py).
STATIC_ROOT = folders.current(DATA_DIR)
# Only the house's pages use its files, as in Cross-Origin-Resource-Policy.
SERVESTATIC_ALLOW_ALL_ORIGINS = False
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "games.ops.static.storage.Storage"
    },
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "games.api.authentication.TokenAuthentication",
        "games.api.authentication.PlayerAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["games.api.authentication.NoParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "games.api.authentication.OnlyJson",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "games.api.errors.handler",
    # The subjects of counts, and the limits of each request: games/services/rate_limit.py.
    "DEFAULT_THROTTLE_RATES": {
        # Room codes: wrong ones of an address or player and, by the API, all; wrong ones of the whole house.
        "code": "10/min",
        "code_house": "600/min",
        # New guests of an address: a full pub joins at once, a flood does not.
        "guest": "240/min",
        # Letters of big screens: wrong ones of who enters them, and of the whole house; screens that ask for letters.
        "screen_letters": "10/min",
        "screen_letters_house": "120/min",
        "screen": "120/min",
        # Device transfers, by address; passwords, by account.
        "join": "30/min",
        "password": "10/min",
        # Requests that change something; reading by known players; pages and the API read by strangers.
        "command": "120/min",
        "asker": "600/min",
        "stranger": "1200/min",
        "anonymous": "120/min",
        # A night's QR code, join link or TV link with its right token, by strangers of one address.
        "link": "2400/min",
        # Right room codes typed, and people who come in by one, at an address.
        "typed": "60/min",
        # Each new nickname is a line in the night's news for everybody.
        "rename": "6/min",
        "night": "6/min",
        "table": "20/min",
        "rules": "30/min",
        "season": "30/min",
        # Answers for dates, with or without a name that the house knows.
        "answer": "60/hour",
        "correction": "20/min",
        "chat": "40/min",
        # Commands at a table that could be repeated without end: a device's new chain, coming and going, nudges.
        "dice_tip": "20/min",
        "coming": "30/min",
        "nudge": "20/min",
        # Sockets that an address opens, and those of a player beyond them (games/live/openings.py).
        "socket": "2400/min",
        "opening": "60/min",
        # Lists of games that pages of another address bring along, by address.
        "proposal": "10/min",
        # Pages over many results, and files.
        "heavy": "120/min",
        # Positions that the engine is asked about: each takes seconds of a core.
        "engine": "60/hour",
        "deeper": "20/hour",
        # Match files of people: each takes minutes of a core.
        "match_file": "10/hour",
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
    # Else each line is a link inside a button.
    "SWAGGER_UI_SETTINGS": {"deepLinking": False},
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "DISABLE_DOCSTRING_DESCRIPTIONS": True,
    "SORT_OPERATIONS": False,
    "SORT_OPERATION_PARAMETERS": False,
    "PREPROCESSING_HOOKS": ["games.api.schema.only_versioned"],
    "POSTPROCESSING_HOOKS": ["games.api.schema.finish"],
}

# Limits; 0 is no limit. Limits of sockets and connections hold for each server process (docs/protocol.md §7).
PRACTICE_NIGHTS = env.practice_nights
TABLES_PER_NIGHT, NIGHTS_PER_HOST, BOTS_PER_HOST = env.tables_per_night, env.nights_per_host, env.bots_per_host
HEAVY_PAGES, HEAVY_SECONDS = env.heavy_pages, env.heavy_seconds
SOCKETS_PER_ADDRESS, SOCKETS_PER_GUEST = env.sockets_per_address, env.sockets_per_guest
MESSAGES_PER_20S, MESSAGES_PER_20S_PLAYING = env.messages_per_20s, env.messages_per_20s_playing
CONNECTIONS, CONNECTIONS_PER_ADDRESS = env.connections, env.connections_per_address

BOT_DELAY = env.bot_delay
# Seconds that a bot may think before the house answers in its place.
BOT_SECONDS = 5.0
CLOCK = env.clock
ANALYSER = env.analyser
HOST_AWAY_SECONDS = 300
VETO_SECONDS = env.veto_seconds

# Housekeeping: 0 is for ever.
OLD_AFTER_DAYS = env.old_after_days
KEEP_GUESTS_DAYS, KEEP_CHAT_DAYS, KEEP_AUDIT_DAYS = env.keep_guests_days, env.keep_chat_days, env.keep_audit_days
# For how many weeks the last backup of each is kept, beside those of the seven newest days.
KEEP_BACKUP_WEEKS = 4
COMPRESS_LOGS_DAYS, UNUSED_NIGHT_HOURS = env.compress_logs_days, env.unused_night_hours

METRICS_TOKEN, METRICS_ALLOW = env.metrics_token, list(env.metrics_allow)
NOTIFY_SOCKET, WATCHDOG_USEC = env.notify_socket, env.watchdog_usec
HAS_WORKERS, WORKER = bool(env.prometheus_multiproc_dir), env.worker

# `play` says it in a sentence.
LOG_START = True
LOG_LEVEL = env.log_level.upper()
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "()": "games.ops.logs.LineFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "games.ops.logs.JsonFormatter"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if env.log_format == "json" else "line",
            "filters": ["answers", "outages"],
        }
    },
    "filters": {
        "answers": {"()": "games.ops.logs.BadRequestsFilter"},
        "outages": {"()": "games.ops.diagnosis.outage_lines.OutageFilter"},
    },
    "loggers": {
        # Django's own level, INFO, would count before LOG_LEVEL.
        "django": {"level": "NOTSET"},
        # Requests with made-up host names must not fill the log; games/scopes.py logs it once.
        "django.security.DisallowedHost": {"level": "CRITICAL"},
        # One line for each process, with the version.
        "games.starts": {"level": "INFO"},
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
}
