"""Pages of the links in mails: an answer for a date, and no more mails about a series; no login is needed."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.kernel.contract import Illegal
from games.models import Answer
from games.services.calendar import answers
from games.services.calendar.answers import Said
from games.services.mails import links, wishes
from games.web.errors import pages_refusals, refusal_text, status_of


@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def mail_answer(request: HttpRequest, token: str, says: str) -> HttpResponse:
    """Show the question of a mail's link, with the answer that was tapped first; only a POST answers.

    What reads mails and opens their links, such as a scanner, changes nothing by that.
    """
    if says not in Answer.Says.values:
        raise Http404
    date, player = links.read_answer(token)
    own = answers.of_player(date, player)
    error = ""
    if request.method == "POST":
        kept = (own.extra, own.word) if own is not None else (0, "")
        try:
            said = request.POST.get("says", "")
            answers.answer(date, player, Said(said, *kept))
        except Illegal as refusal:
            error, status = refusal_text(refusal), status_of(refusal)
        else:
            messages.success(request, _("Your answer is noted. You can change it here."))
            return redirect("mail_answer", token, said)
    choices = [(value, label, value == says) for value, label in Answer.Says.choices]
    context = {
        "date": date,
        "series": date.series,
        "person": player,
        "own": own,
        "choices": sorted(choices, key=lambda choice: not choice[2]),
        "tapped": Answer.Says(says).label,
        "has_said": own is not None and own.says == says,
        "is_waiting": any(row.player_id == player.pk for row in answers.coming(date).waiting),
        "error": error,
    }
    return render(request, "mails/answer.html", context, status=status if error else 200)


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@pages_refusals
def mail_stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether mails about a series shall stop; a POST stops them, that of a mail program with one click, too.

    It is the one address that takes a POST without a page's token (RFC 8058): the signature of its link says which
    series and whose mails, and it does nothing else.
    """
    series, player = links.read_stop(token)
    if request.method == "POST":
        wishes.stop(series, player)
    context = {"series": series, "is_stopped": wishes.is_stopped(series, player), "token": token}
    return render(request, "mails/stop.html", context)
