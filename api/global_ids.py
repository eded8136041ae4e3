"""The ids by which the outside knows things: `Chat:<id>`, in Base64."""

import base64


def global_id(type_name: str, inner: str) -> str:
    """The global id of a thing of a type."""
    return base64.b64encode(f"{type_name}:{inner}".encode()).decode()
