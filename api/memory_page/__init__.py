"""The pages of one's own memory, at `/memory`: searched, looked through, corrected and forgotten in a browser (A4).

Rendered here from templates, with plain forms: all but the drawn graph works without JavaScript. A page reads and
writes by the same methods of the service as GraphQL, and has no rule of its own. What memories say is untrusted text:
templates escape it, and the policy of these pages lets no script run but our own files.
"""
