"""Every number of the contract, in one place."""

from surefoot.core.value import value


@value
class Limits:
    """What a run may use up; fixed when it starts. Lines are added plus removed, as git counts them.

    Each counter is of its own kind and they are never mixed: transport retries and strikes of a tool cost no attempt, and a model turn is a
    plan or edit request, with the reads that came before it. `tokens` and `micros` (millionths of a dollar, 0 for no cap) are for the whole
    run.
    """

    attempts: int = 3
    verify_rounds: int = 2
    turns: int = 20
    """Model turns of one step; the end, whatever is on the way."""
    wind_down: int = 16
    """Model turns of one step after which nothing new is begun: no retry, no further step."""
    tokens: int = 200_000
    micros: int = 0
    note_words: int = 25
    diff_soft: int = 50
    diff_hard: int = 150
    constraints: int = 8
    constraint_words: int = 30
    actions: int = 20_000
    """Actions of one run; each pause in typing may cost a run of ten steps some forty."""


TRANSPORT_RETRIES = 3
"""How often one model request is sent again, with the same bytes, when the transport failed."""

TRANSPORT_BASE_SECONDS = 1.0
"""The wait before the first such retry; it doubles each time."""

TRANSPORT_WAIT_CAP_SECONDS = 60.0
"""The longest wait that a provider may ask for."""

TRUNCATIONS = 3
"""Structured answers in a row that may be cut off before a person is asked."""

STRIKES = 3
"""Failures in a row after which a tool is left alone."""

RERUNS = 3
"""How often a failing test is run again to see whether it is stable."""

JUDGE_TOKENS = 256
"""The longest answer of the judge."""

CONSTRAINT_TOKENS = 30
"""The longest constraint that is made of a finding."""

NOTE_WORDS = 25
"""The longest correction that is asked for; `Limits.note_words` is what a run holds notes to."""

NOTE_TOKENS = 128
"""The longest answer of the distiller."""

MENU_WAIT_SECONDS = 0.3
"""How long a menu that a person opened may wait, all in all; one that opens by itself does not wait."""

CHECK_TIMEOUT_SECONDS = 30.0
"""How long one check may take before it counts as unavailable."""

OFFER_GATE_SECONDS = 10.0
"""How long a check of the offer gate may take for one candidate, warm, before it moves to the run gate."""

OUTPUT_BYTES = 32 * 1024 * 1024
"""What a program that is run as a check may print."""

SHADOW_BYTES = 2 * 1024 * 1024 * 1024
"""What programs may write into one shadow; it lies in memory, and as much of it as is written."""

PUSH_SECONDS = 5.0
"""How long a checker that only pushes what it finds may keep silent about a text."""

CHILD_TRIES = 4
"""How often a checker is started for one question, when settings that move keep ending it before it can be asked."""

OPINION_SECONDS = 60.0
"""How long a language server may take for a second opinion on all sites of a symbol, what it loads before included."""

OPINIONS_ASKED = 16
"""Definitions of one name that a language server is asked about; with more of them its answer counts as not whole."""

OPINION_FILES = 64
"""Files with sites of ours that a language server is shown first: some look only at projects of which a file is open."""

HEADER_LINES = 32
"""Header lines of one message of a checker; two are usual."""

CHECKERS_KEPT = 8
"""Warm checkers of one root, which has one for each tool of each environment in it; the one not asked for longest makes room."""

SAID_ONCE = 256
"""Messages remembered so that none is said twice."""

BLOB_BYTES = 4 * 1024 * 1024
"""The largest raw text that is kept beside a run; of a larger one only its digest is."""

RETENTION_DAYS = 90
"""How long a closed run is kept."""

RETENTION_BYTES = 1024 * 1024 * 1024
"""How large a workspace's journal may grow before its oldest closed runs are let go."""

SHAPE_BYTES = 256 * 1024
"""Text of a draft whose syntax trees are compared with those of earlier drafts; more of it is compared by its bytes alone."""

OPEN_RUNS = 20
"""How many of the newest open runs are looked at for one that was cut short."""
