"""Secrets are found by their form, code that looks like one is left alone, and covering keeps every byte where it is."""

import time

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
    ('password: str = "correct-horse"', "correct-horse"),
    ('api_key: str | None = "correct-horse"', "correct-horse"),
    ('TOKEN: Final[str] = r"correct-horse"', "correct-horse"),
    ('const apiKey: string = "correct-horse"', "correct-horse"),
    ("password?: string = 'correct-horse'", "correct-horse"),
    ('TOKEN = b"correct-horse"', "correct-horse"),
    ('token = f"correct-horse"', "correct-horse"),
    ("const secret = `correct-horse`", "correct-horse"),
    ('SECRET = (\n    "correct-horse"\n)', "correct-horse"),
    ('config["api_key"] = "correct-horse"', "correct-horse"),
    ('os.environ.get("API_KEY", "correct-horse")', "correct-horse"),
    ('os.getenv("DB_PASSWORD", default="correct-horse")', "correct-horse"),
    ('"Authorization": "Bearer correcthorse"', "correcthorse"),
    ('headers["Authorization"] = "Basic c2hvcDpzaG9w"', "c2hvcDpzaG9w"),
    ('-H "Authorization: token correct-horse"', "correct-horse"),
    ('value = "Bearer correct-h0rse"', "correct-h0rse"),
    ("API_KEY=correcthorse", "correcthorse"),
    ("export DB_PASSWORD=correct-horse", "correct-horse"),
    ("+db.password=c0rrect-horse", "c0rrect-horse"),
)
LINES = ("MIIEowIBAAKCAQEA+/7x", "qwertyuiopasdfgh+/a=")
BEGIN, END = "-----BEGIN RSA PRIVATE" + " KEY-----", "-----END RSA PRIVATE" + " KEY-----"
KEYS = (
    ("whole", "\n".join((BEGIN, *LINES, END))),
    ("in a diff", "".join(f"+{line}\n" for line in (BEGIN, *LINES, END))),
    ("its beginning is cut off", "@@ -9,3 +9,4 @@\n" + "".join(f" {line}\n" for line in (*LINES, END)) + "+x = 1\n"),
    ("its end is cut off", "".join(f" {line}\n" for line in ("x = 1", BEGIN, *LINES))),
    ("in one string", 'KEY = "' + "\\n".join((BEGIN, *LINES, END)) + '"'),
    ("in a string a line", "KEY = (\n" + "".join(f'    "{line}\\n"\n' for line in (BEGIN, *LINES, END)) + ")\nsome_function_call()"),
    ("with headers", "\n".join((BEGIN, "Proc-Type: 4,ENCRYPTED", "", *LINES, END))),
)
LEFT = (
    "password = read_password()",
    "def token(text: str) -> Token:",
    'password = ""',
    "https://example.org/a:b@c",
    "f05df29a01392f2a1429429cfb67f05df29a0139",
    "the secret: 'ask' him",
    "skip-ant-hill",
    "task-some-long-name-of-a-style",
    'author = "somebody-else"',
    'tokenizer = "word-level"',
    'passenger = "John-Smith"',
    'TOKEN_URL = "https://example.org/token"',
    'API_KEY_HEADER = "X-Api-Key"',
    'password_field = "password"',
    'password = f"{password}"',
    "password = `${password}`",
    "address = f'postgres://{user}:{password}@db'",
    'login("password", "username")',
    'def log_in(token: str, name="somebody"): ...',
    'password: str, user: str = "anonymous"',
    'const token: Token = parse("some-text-here")',
    "token: Uint8Array",
    'class token:\n    name = "something"',
    'if password:\n    "a-docstring"',
    "Bearer authentication",
    'f"Bearer {token}"',
    '"Authorization": f"Bearer {token}"',
    "authorization: required parameters",
    "API_KEY=read_key(name)",
    "TOKEN=$(cat file-123)",
    "token=read_token_now",
    "    password=password_1,",
    "-----BEGIN CERTIFICATE-----\nMIIEowIBAAKCAQEA\n-----END CERTIFICATE-----",
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


@pytest.mark.parametrize("text", [text for _, text in KEYS], ids=[name for name, _ in KEYS])
def test_each_line_of_a_private_key_is_found(text: str) -> None:
    assert secrets_in(text) == set(LINES)


@pytest.mark.parametrize(
    "text", ["token", "password: str | ", 'get("token', "://a:", "eyJhbGciOi", "authorization: bearer ", "api_key =\n", "A" * 60 + "\n"]
)
def test_a_long_text_takes_no_longer_than_its_length(text: str) -> None:
    began = time.process_time()
    secrets_in(text * (200_000 // len(text)))
    assert time.process_time() - began < 3.0
