"""The metadata that tells clients of `/mcp` where to get tokens: OAuth 2.0 protected resource metadata (RFC 9728)."""

from typing import Final

from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from pydantic import AnyHttpUrl
from starlette.routing import Route

from hippograph.api.settings.settings import Settings

_WEB: Final = ("https://", "http://")


class ProtectedResource:
    """The metadata of `/mcp` as a protected resource. It is published if signed tokens are accepted, their issuer is a
    web address, and their audience is one too: that of this service's `/mcp` (RFC 8707). Otherwise clients are given
    their keys by hand.
    """

    def __init__(self, settings: Settings) -> None:
        audience, issuer = settings.jwt_audience or "", settings.jwt_issuer or ""
        known = settings.auth == "credentials" and settings.jwt_keys and audience.startswith(_WEB)
        self._url = AnyHttpUrl(audience) if known and issuer.startswith(_WEB) else None
        self._issuer = issuer

    @property
    def routes(self) -> list[Route]:
        """The routes that serve the metadata, without a credential; empty if nothing is published."""
        if self._url is None:
            return []
        return create_protected_resource_routes(self._url, [AnyHttpUrl(self._issuer)], resource_name="hippograph")

    @property
    def challenge(self) -> bytes:
        """Value of `WWW-Authenticate` in the answer to a request without a valid credential."""
        if self._url is None:
            return b"Bearer"
        return f'Bearer resource_metadata="{build_resource_metadata_url(self._url)}"'.encode()
