"""Secrets are found by their form, code that looks like one is left alone, and covering keeps every byte where it is."""

import pytest

from surefoot.policy.secrets import covered, secrets_in

# Cut in two, so that no scanner takes this file for a leak.
FOUND = (
    ("key=sk-" + "ant-api03-AbCdEf012345-xyz", "sk-" + "ant-api03-AbCdEf012345-xyz"),
    ("ghp" + "_0123456789abcdefghijABCDEFGHIJ012345", None),
    ("github" + "_pat_11ABCDEFG0abcdefghijklm", None),
    ("AKIA" + "IOSFODNN7EXAMPLE", None),
    ("AIza" + "SyA-1234567890abcdefghijklmnopqrstu", None),
    ("xoxb" + "-123456789012-abcdefghijkl", None),
    ("sk_live" + "_0123456789abcdef", None),
    ("eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0" + ".dozjgNryP4J3jVmNHl0w5N", None),
    ("postgres://shop:s3cr3t-pw@db/shop", "s3cr3t-pw"),
    ('DB_PASSWORD = "correct-horse"', "correct-horse"),
    ("api_key: 'abcdef123456'", "abcdef123456"),
    ('{"client_secret": "q1w2e3r4t5"}', "q1w2e3r4t5"),
    ("-----BEGIN RSA PRIVATE" + " KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----", "\nMIIEow\nIBAAKC\n"),
)
LEFT = (
    "password = read_password()",
    "def token(text: str) -> Token:",
    'password = ""',
    "https://example.org/a:b@c",
    "f05df29a01392f2a1429429cfb67f05df29a0139",
    "the secret: 'ask' him",
    "skip-ant-hill",
)


@pytest.mark.parametrize(("text", "secret"), FOUND)
def test_a_secret_is_found_and_covered(text: str, secret: str | None) -> None:
    found = secrets_in(text)
    assert found, text
    assert secret is None or secret in found
    after = covered(text, found)
    assert len(after.encode()) == len(text.encode())
    assert after.count("\n") == text.count("\n")
    assert all(each not in after for each in found)
    assert covered(after, secrets_in(after)) == after


@pytest.mark.parametrize("text", LEFT)
def test_code_that_names_a_secret_is_left_alone(text: str) -> None:
    assert secrets_in(text) == frozenset()
