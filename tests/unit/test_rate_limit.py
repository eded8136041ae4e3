from hippograph.api.web.rate_limit import RateLimit


async def test_a_credential_has_its_share() -> None:
    """So many requests pass, the next one has to wait, and others are not held up by it."""
    limit = RateLimit("2/minute")
    assert [0, 0] == [await limit.wait_s("a"), await limit.wait_s("a")]
    assert 0 < await limit.wait_s("a") <= 60
    assert 0 == await limit.wait_s("b")
