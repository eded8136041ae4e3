"""Where a client of `/mcp` gets its tokens: the metadata of a protected resource (RFC 9728)."""

from typing import Final

from mcp.server.auth.routes import build_resource_metadata_url, create_protected_resource_routes
from pydantic import AnyHttpUrl
from starlette.routing import Route

from hippograph.api.settings.settings import Settings

_WEB: Final = ("https://", "http://")


class ProtectedResource:
    """What is announced where tokens are signed by a provider that has an address, for an audience that is one: that of
    this service's `/mcp` (RFC 8707). Elsewhere nothing is announced, and a client is given its key by hand.
    """

    def __init__(self, settings: Settings) -> None:
        audience, issuer = settings.jwt_audience or "", settings.jwt_issuer or ""
        known = settings.auth == "credentials" and settings.jwt_keys and audience.startswith(_WEB)
        self._url = AnyHttpUrl(audience) if known and issuer.startswith(_WEB) else None
        self._issuer = issuer

    @property
    def routes(self) -> list[Route]:
        """Where the metadata is read, which needs no credential."""
        if self._url is None:
            return []
        return create_protected_resource_routes(self._url, [AnyHttpUrl(self._issuer)], resource_name="hippograph")

    @property
    def challenge(self) -> bytes:
        """What `WWW-Authenticate` says to who was not let in."""
        if self._url is None:
            return b"Bearer"
        return f'Bearer resource_metadata="{build_resource_metadata_url(self._url)}"'.encode()
