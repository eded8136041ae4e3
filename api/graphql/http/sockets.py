"""Subscriptions over WebSocket: the graphql-transport-ws protocol, with a check of the credential per operation.

https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
"""

from collections.abc import Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from graphql import GraphQLError
from strawberry.exceptions import ConnectionRejectionError
from strawberry.subscriptions.protocols.graphql_transport_ws.handlers import (
    BaseGraphQLTransportWSHandler,
    Operation,
    _OperationStreamClosed,
)

from hippograph.api.graphql.context import admitted_context
from hippograph.api.service import Service
from hippograph.api.web.admission import ACTING_FOR, AUTHORIZATION, Refused, recognised

_TRY_AGAIN_LATER: Final = 1013


@dataclass
class Connecting:
    """A connection: its headers, and the payload of the client's `connection_init` message."""

    service: Service
    headers: Mapping[str, str]
    connection_params: dict[str, Any] = field(default_factory=dict)

    def credential(self) -> tuple[str | None, str | None]:
        """Returns the credential, and the account that a service acts for: from `connection_init`, else from headers.

        Raises `ConnectionRejectionError` if one of them is not a string.
        """
        given = {str(name).lower(): value for name, value in self.connection_params.items()}
        found = [given.get(name, self.headers.get(name)) for name in (AUTHORIZATION, ACTING_FOR)]
        if not all(isinstance(value, str | None) for value in found):
            raise ConnectionRejectionError
        return found[0], found[1]


async def check_connection(connecting: Connecting) -> None:
    """Raises `ConnectionRejectionError` if the credential is refused, and `Refused` if it cannot be checked now."""
    try:
        await recognised(connecting.service, *connecting.credential())
    except Refused as error:
        if error.status < 500:
            raise ConnectionRejectionError from error
        raise


class SocketHandler(BaseGraphQLTransportWSHandler[Any, None]):
    """One connection. It runs only subscriptions, each with the rights of the credential when the operation starts."""

    async def handle_message(self, message: Any) -> None:
        """Handles a message. Closes the connection if it is malformed, or if the credential cannot be checked now."""
        try:
            await super().handle_message(message)
        except (TypeError, AttributeError):
            await self.handle_invalid_message("Failed to parse message")
        except Refused as error:
            await self.websocket.close(code=_TRY_AGAIN_LATER, reason=str(error))

    async def handle_subscribe(self, message: Any) -> None:
        """Starts an operation; closes the connection if the message is malformed."""
        payload = message["payload"]
        forms = {"query": str, "variables": dict | None, "operationName": str | None}
        if not isinstance(message["id"], str) or not all(isinstance(payload.get(k), v) for k, v in forms.items()):
            await self.handle_invalid_message("Failed to parse message")
            return
        await super().handle_subscribe(message)

    async def run_operation(self, operation: Operation[Any, None]) -> None:
        """Sends the results of a subscription until it ends."""
        try:
            credential, acting_for = self.context.credential()
            context = await admitted_context(self.context.service, credential, acting_for, self.context.headers)
            stream = await self.schema.subscribe(
                operation.query,
                variable_values=operation.variables,
                context_value=context,
                operation_name=operation.operation_name,
            )
            async with aclosing(stream):
                await self._send_result_stream(operation, stream)
            await operation.send_operation_message({"id": operation.id, "type": "complete"})
        except _OperationStreamClosed:
            return
        except Refused as error:
            await operation.send_initial_errors([GraphQLError(str(error), extensions={"code": error.code})])
        except Exception as error:
            await self.handle_task_exception(error)
            with suppress(Exception):
                await operation.send_operation_message({"id": operation.id, "type": "complete"})
