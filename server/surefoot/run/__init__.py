"""The contract of a run: events, state, legality and what comes next. Pure: no async, no I/O, no clock."""
