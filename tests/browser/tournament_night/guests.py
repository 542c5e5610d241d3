"""A guest whose phone is not looked at: what its browser would send, without the browser."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Mapping
from http.cookiejar import Cookie, CookieJar
from typing import Any

SECONDS = 60.0
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


def _cookie(name: str, value: str) -> Cookie:
    """Return a cookie for this computer."""
    host = ("127.0.0.1", False, False)
    return Cookie(0, name, value, None, False, *host, "/", True, False, None, True, None, None, {})


class Guest:
    """A guest of a night by name."""

    def __init__(self, url: str, name: str) -> None:
        self.url, self.name, self._cookies = url, name, CookieJar()
        self._web = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies))

    def join(self, link: str) -> None:
        """Follow the link of a night and say the name."""
        token = _TOKEN.findall(self.get(link).decode())[0]
        form = urllib.parse.urlencode({"csrfmiddlewaretoken": token, "nickname": self.name})
        with self._web.open(urllib.request.Request(link, form.encode(), {"Referer": link}), timeout=SECONDS) as page:
            page.read()

    def cookies(self) -> str:
        """Return the cookies as a header has them."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._cookies)

    def browser_cookies(self) -> list[Any]:
        """Return the cookies as a browser takes them."""
        return [{"name": each.name, "value": str(each.value), "url": self.url} for each in self._cookies]

    def take_cookies(self, cookies: Iterable[Mapping[str, Any]]) -> None:
        """Become whoever has the cookies of a browser."""
        for each in cookies:
            self._cookies.set_cookie(_cookie(str(each["name"]), str(each["value"])))

    def get(self, address: str) -> bytes:
        """Return what is at an address."""
        with self._web.open(urllib.parse.urljoin(self.url, address), timeout=SECONDS) as answer:
            return bytes(answer.read())

    def act(self, tournament: str, act: str, **args: Any) -> Any:
        """Carry out an act at a tournament; return the tournament as it is then."""
        return self.send(f"v1/tournaments/{tournament}/acts/", act=act, args=args)

    def send(self, path: str, **body: Any) -> Any:
        """Send something to the house's API; return its answer."""
        address = f"{self.url}/api/{path}"
        token = next(str(cookie.value) for cookie in self._cookies if cookie.name == "csrftoken")
        headers = {"Content-Type": "application/json", "X-CSRFToken": token, "Referer": address}
        request = urllib.request.Request(address, json.dumps(body).encode(), headers)
        try:
            with self._web.open(request, timeout=SECONDS) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{self.name}, {path} {body}: {error.read().decode()[:500]}") from error
