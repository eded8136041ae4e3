from hippograph.api.web.rate_limit import RateLimit


async def test_a_credential_has_its_share() -> None:
    """A request over the limit of a credential has to wait; other credentials are not affected."""
    limit = RateLimit("2/minute")
    assert [0, 0] == [await limit.wait_s("a"), await limit.wait_s("a")]
    assert 0 < await limit.wait_s("a") <= 60
    assert 0 == await limit.wait_s("b")
