"""The forms of tasks that need no model, as a list for a person to choose from."""

FORMS = (
    "rename OLD to NEW",
    "add parameter NAME: TYPE = DEFAULT to FUNCTION",
    "add parameter NAME to FUNCTION passing VALUE",
    "remove parameter NAME from FUNCTION",
    "rename parameter NAME of FUNCTION to NEW",
    "reorder parameters of FUNCTION to B, A",
    "make parameter NAME of FUNCTION keyword-only",
    "change default of NAME in FUNCTION to VALUE",
)
"""Words in capitals stand for what a person puts there."""
