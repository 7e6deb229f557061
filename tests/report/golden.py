"""Writes the stored reports anew, to be looked at before they are committed: `python -m tests.report.golden`."""

from surefoot.report.forms import Form
from tests.report.test_forms import GOLDEN, golden

if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for form in Form:
        (GOLDEN / f"story{form.suffix}").write_text(golden(form), encoding="utf-8")
