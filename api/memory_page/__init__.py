"""The web pages at `/memory`, on which people search, browse, correct and forget their own memories (A4).

Pages are rendered on the server from templates, with plain forms: all but the drawn graph works without JavaScript.
They read and write through the same methods of the service as GraphQL, and have no rules of their own. The content of
memories is untrusted: templates escape it, and the content security policy allows only our own script files.
"""
