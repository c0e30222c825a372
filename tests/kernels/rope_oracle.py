"""RoPE and the pool write in integers and float64, sharing no code with the package."""

import math
from dataclasses import dataclass, field, replace
from functools import cache

import mlx.core as mx
import numpy as np

from ropeguard import rope_pool_fused


INT_MAX = 2**31 - 1
INT_MIN = -(2**31)
DTYPES = (mx.float32, mx.float16, mx.bfloat16)
MAX_ANGLE_ERROR = 5e-7

_SCALE = 128
_UNIT = 2**800
# Bailey, Borwein and Plouffe's series.
_PI = sum(
    (
        4 * _UNIT // (8 * k + 1)
        - 2 * _UNIT // (8 * k + 4)
        - _UNIT // (8 * k + 5)
        - _UNIT // (8 * k + 6)
    )
    // 16**k
    for k in range(200)
)


def _root(number, degree):
    """Return the integer part of the root, by Newton's method from a guess that is too large."""
    if number == 0:
        return 0
    guess = math.exp2(math.log2(number) / degree)
    x = int(guess * (1 + 2**-40)) + 1
    while (smaller := ((degree - 1) * x + number // x ** (degree - 1)) // degree) < x:
        x = smaller
    return x


@cache
def turns(rope_base, head_dim):
    """Return each pair's turn per position as an integer of 2**-128 turns."""
    over, under = rope_base.as_integer_ratio()
    result = []
    for pair in range(head_dim // 2):
        common = math.gcd(2 * pair, head_dim)
        power, degree = 2 * pair // common, head_dim // common
        # inv_freq = (under / over) ** (power / degree)
        inv_freq = _root((under**power << (_SCALE * degree)) // over**power, degree)
        result.append(inv_freq * _UNIT // (2 * _PI))
    return tuple(result)


def angle(position, turn):
    """Return an angle in float64 from -pi to pi, reduced before it is rounded."""
    part = position * turn % 2**_SCALE
    if part >= 2 ** (_SCALE - 1):
        part -= 2**_SCALE
    return 2 * math.pi * (part / 2**_SCALE)


def angles(positions, rope_base, head_dim):
    """Return the angles of positions and pairs as a float64 matrix."""
    steps = turns(rope_base, head_dim)
    flat = [angle(int(p), turn) for p in positions for turn in steps]
    return np.array(flat, dtype=np.float64).reshape(len(positions), head_dim // 2)


def rotate(x, theta):
    """Rotate float64 `[tokens, heads, head_dim]` by `[tokens, head_dim / 2]`, NeoX pairs."""
    cos, sin = np.cos(theta)[:, None], np.sin(theta)[:, None]
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


def bits(x):
    """Return an array's bits as unsigned integers in numpy."""
    return np.array(x.view({2: mx.uint16, 4: mx.uint32}[x.dtype.size]))


def same_bits(x, y):
    """Say whether two arrays are equal bit for bit."""
    return x.dtype == y.dtype and np.array_equal(bits(x), bits(y))


def from_bits(words, dtype):
    """Return the MLX array that has these bits."""
    return mx.array(words).view(dtype)


def float64(x):
    """Return an array's values in float64."""
    return np.array(x.astype(mx.float32)).astype(np.float64)


def ulp(values, dtype):
    """Return the gap between neighbouring numbers of the dtype at float64 values."""
    digits, least = {mx.float32: (23, -126), mx.float16: (10, -14), mx.bfloat16: (7, -126)}[dtype]
    exponent = np.where(values == 0, least, np.frexp(values)[1] - 1)
    return np.exp2(np.maximum(exponent, least) - digits)


def allowed_error(x, exact, dtype):
    """Return the error that a rotation may have: of its angle, of float32 products, half an ulp."""
    first, second = np.split(np.abs(x), 2, axis=-1)
    pair = np.concatenate([first + second] * 2, axis=-1)
    return MAX_ANGLE_ERROR * pair + 2.0**-149 + ulp(exact, dtype) / 2


def assert_rotated(got, x, positions, rope_base):
    """Compare a rotation with float64."""
    x64 = float64(x)
    exact = rotate(x64, angles(positions, rope_base, x.shape[-1]))
    error = np.abs(float64(got) - exact)
    assert got.dtype == x.dtype
    assert (error <= allowed_error(x64, exact, x.dtype)).all(), error.max()


def written(pool, rows, slots):
    """Return the bits of the pool after a loop over tokens, the last of a slot winning."""
    result = bits(pool).copy()
    for row, slot in zip(bits(rows), slots, strict=True):
        if 0 <= slot < len(result):
            result[slot] = row
    return result


@dataclass(frozen=True)
class Case:
    """The arguments of one call; what is not given is random."""

    tokens: int = 3
    pool: int = 8
    qo_heads: int = 4
    kv_heads: int = 2
    head_dim: int = 8
    dtype: mx.Dtype = mx.float32
    rope_base: float = 10000.0
    angle: str = "exact"
    seed: int = 0
    positions: tuple | None = None
    slots: tuple | None = None
    replaced: dict = field(default_factory=dict)

    def __post_init__(self):
        """Let the number of positions or slots say how many tokens there are."""
        for given in (self.positions, self.slots):
            if given is not None:
                object.__setattr__(self, "tokens", len(given))

    def with_(self, **replaced):
        """Return the case with some of its arrays replaced."""
        return replace(self, replaced={**self.replaced, **replaced})

    @property
    def arrays(self):
        """The seven arrays by name, evaluated, the same at every access."""
        random = np.random.default_rng(self.seed)

        def floats(*shape):
            return mx.array(random.standard_normal(shape).astype(np.float32)).astype(self.dtype)

        def integers(given, low, high):
            drawn = random.integers(low, high, self.tokens)
            return mx.array((drawn if given is None else np.array(given)).astype(np.int32))

        arrays = {
            "q": floats(self.tokens, self.qo_heads, self.head_dim),
            "k": floats(self.tokens, self.kv_heads, self.head_dim),
            "v": floats(self.tokens, self.kv_heads, self.head_dim),
            "positions": integers(self.positions, 0, INT_MAX),
            "slots": integers(self.slots, -1, max(self.pool, 1)),
            "k_pool": floats(self.pool, self.kv_heads, self.head_dim),
            "v_pool": floats(self.pool, self.kv_heads, self.head_dim),
        } | self.replaced
        mx.eval(list(arrays.values()))
        return arrays

    @property
    def numbers(self):
        """The keyword arguments."""
        return {
            "head_dim": self.head_dim,
            "num_qo_heads": self.qo_heads,
            "num_kv_heads": self.kv_heads,
            "rope_base": self.rope_base,
            "angle": self.angle,
        }

    def call(self, **replaced):
        """Call the function under test with some arrays replaced."""
        return rope_pool_fused(**{**self.arrays, **replaced}, **self.numbers)

    def function(self):
        """Return the function of the seven arrays by position."""
        return lambda *arrays: rope_pool_fused(*arrays, **self.numbers)


def assert_written(arrays, result):
    """Compare both pools with the oracle, to the last byte."""
    _, k_rot, k_pool, v_pool = result
    slots = arrays["slots"].tolist()
    np.testing.assert_array_equal(bits(k_pool), written(arrays["k_pool"], k_rot, slots))
    np.testing.assert_array_equal(bits(v_pool), written(arrays["v_pool"], arrays["v"], slots))


def assert_correct(case, result=None):
    """Compare all four outputs of a call with the oracle."""
    arrays, result = case.arrays, case.call() if result is None else result
    positions = arrays["positions"].tolist()
    assert_rotated(result[0], arrays["q"], positions, case.rope_base)
    assert_rotated(result[1], arrays["k"], positions, case.rope_base)
    assert_written(arrays, result)
