"""The asker's webhooks; acts of a series or a night add them, and acts of their own test and remove them."""

from __future__ import annotations

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ListView, View
from games.api.calendar.all_series import TAG
from games.api.fields import Shape
from games.api.pagination import Pages
from games.api.schema import described
from games.models import Webhook
from games.services.webhooks import posting, webhooks


class WebhookSerializer(Shape):
    """A webhook: of the `series` with this key, or of the `night` with this id. `at` is its address but for its path.

    `sent_at` is when it last took something, `fault` the code of the last refusal or failure since then.
    """

    id = serializers.CharField(source="public_id")
    series = serializers.CharField(source="series.key", default=None, allow_null=True)
    night = serializers.CharField(source="night.public_id", default=None, allow_null=True)
    at = serializers.SerializerMethodField()
    shape = serializers.ChoiceField(Webhook.Shape.values)
    sent_at = serializers.DateTimeField(allow_null=True)
    fault = serializers.CharField(allow_blank=True)

    def get_at(self, webhook: Webhook) -> str:
        """Return the address as it is shown: its path may be a secret."""
        return posting.shown(webhook.address)


class Webhooks(ListView):
    """The asker's webhooks."""

    queryset = Webhook.objects.none()
    serializer_class = WebhookSerializer
    pagination_class = Pages

    @described(
        "listWebhooks",
        "The webhooks of the series that the asker organises, and of the nights that the asker hosts",
        WebhookSerializer(many=True),
        tag=TAG,
        codes="not_known not_found",
    )
    def get(self, request: Request) -> Response:
        """Return a page of webhooks."""
        return self.page(webhooks.of_person(self.player()))


class OneWebhook(View):
    """A webhook."""

    @described(
        "getWebhook",
        "A webhook, and whether it takes what it is sent",
        WebhookSerializer,
        tag=TAG,
        codes="not_known no_such_webhook series_ended not_series_organiser not_host practice_night",
    )
    def get(self, request: Request, public_id: str) -> Response:
        """Return the webhook."""
        return Response(WebhookSerializer(webhooks.find(public_id, self.player())).data)
