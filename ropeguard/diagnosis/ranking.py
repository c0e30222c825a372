"""How far-fetched each kind of change is: the data that suggestions are ranked by.

The costs say how common the mistake is that the change undoes, in order of magnitude: a layout
that is off by a transposition is met daily, elements that have to be cut off less often, and a
reshape that reads memory in another order is hardly ever what was meant.
"""

import functools


COSTS = {
    "wrap": 0.4,
    "convert": 0.6,
    "squeeze": 0.9,
    "expand": 1.0,
    "swapaxes": 1.0,
    "split": 1.1,
    "merge": 1.1,
    "cast": 1.2,
    "swap": 1.15,
    "integer": 1.4,
    "allocate": 1.3,
    "transpose": 1.5,
    "repeat": 1.5,
    "broadcast": 1.7,
    "index": 2.4,
    "slice": 2.2,
    "other": 3.4,
    "pad": 3.6,
    "reinterpret": 5.0,
}

# What a change costs more, or less.
FAR_AXES = 0.45  # two axes are exchanged that are not neighbours, which turns those between
ONE_AXIS_MOVED = -0.3  # of a transposition, if all other axes keep their order
UNLIKELY_GROUP = 1.6  # axes are merged or split that models do not keep as one
NOT_LAST_TOKEN = 0.5  # an entry is taken of another axis than the last but one
LOGITS_ENTRY = -1.6  # the last token's entry is taken of what is called logits
COMPOSED = 0.3  # the second of two changes to one array
SAME_CHANGE = 0.2  # the same change to one more argument
ANOTHER_CHANGE = 0.7  # a different change to one more argument
NOT_BLAMED = 0.4  # the argument is not the one that is blamed
NOT_BLAMED_IN_TIE = 0.1
GUESS_NOT_BLAMED = 1.2  # and elements would be dropped, repeated or added
OTHER_DTYPE = 1.7  # the cast is to a dtype that comes second
EXPECTED = -0.1  # the record of the error names the change as its fixer
BATCH_MOVED = 0.8  # the batch changes its place, and not with the tokens
HEADS_AND_TOKENS = -0.3  # two axes are exchanged, and their names are of these two roles
LIKELY_SLICE_END = 0.05  # the first entries are kept more often than the last
CAST_FAR = 1.5  # the cast drops fractions, signs or bits of an index
LOSES_PART = 0.4  # the more of the elements that go, the dearer, up to this
MOST = 4.8  # what costs more is not suggested
MARGIN = 1.6  # another suggestion is shown if it costs at most so much more than the first

# Repeating entries is what grouped heads need, and a batch; for other axes it is a guess.
REPEATS = {"heads": 0.0, "batch": 0.6, "": 2.4}
# What a new axis may be repeated along.
BROADCASTS = {"batch": 0.0, "heads": 0.2, "tokens": 0.3, "": 1.5}
# Which cut of an axis is usual, by what the axis is.
SLICES = {"tokens": 0.0, "batch": 0.4, "heads": 0.8, "": 1.0}
PADS = {"tokens": 0.0, "": 1.5}

# What an axis is, by a word in its name.
ROLES = {
    "heads": ("head", "group"),
    "features": ("dim", "width", "hidden", "feature", "channel", "model", "vocab", "inter"),
    "batch": ("batch", "beam", "sample"),
    "tokens": (
        *("token", "seq", "length", "time", "frame", "step", "pos", "ctx", "context"),
        *("past", "seen", "new", "total", "key", "quer", "offset"),
    ),
    "rows": ("pool", "page", "slot", "capacity", "row", "expert", "block"),
}
SHORT_ROLES = {
    "b": "batch", "h": "heads", "hq": "heads", "hkv": "heads", "kv": "heads", "n_kv": "heads",
    "kvh": "heads", "qh": "heads", "nh": "heads", "l": "tokens", "t": "tokens", "s": "tokens",
    "d": "features", "hd": "features", "c": "features", "lk": "tokens", "lq": "tokens",
}  # fmt: skip

# Axes that models keep as one.
GROUPS = (
    ("heads", "features"), ("batch", "tokens"), ("batch", "heads"), ("rows", "tokens"),
    ("tokens", "tokens"), ("heads", "heads"), ("rows", "features"),
)  # fmt: skip

# Arguments that are allocated for a call rather than computed.
ALLOCATED = ("pool", "cache", "buffer", "state", "out", "scratch", "workspace", "accum")

# What a layout is known as, by the roles of its axes.
LAYOUTS = {
    ("batch", "tokens", "heads", "features"): "what a projection split into heads has",
    ("batch", "heads", "tokens", "features"): "what scaled_dot_product_attention takes",
    ("tokens", "heads", "features"): "what a projection split into heads has",
    ("heads", "tokens", "features"): "what scaled_dot_product_attention takes",
    ("batch", "tokens", "features"): "what layers take and give",
    ("batch", "features", "tokens"): "channels before time, as PyTorch's convolutions take it",
}


@functools.cache
def role_of(axis: str) -> str:
    """Return what an axis is, judged by its name: `"heads"` for `"kv_heads"` and `"{n_heads}"`."""
    name = axis.strip("#*{} ").rpartition(".")[2].lower()
    if name in SHORT_ROLES:
        return SHORT_ROLES[name]
    if "head_dim" in name or "dim_head" in name:
        return "features"
    return next((role for role, words in ROLES.items() if any(it in name for it in words)), "")
