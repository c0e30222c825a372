// The kernel: NeoX rotation of queries and keys with exact angles. The same text is compiled by
// Metal, by CUDA and, for tests, by a C++ compiler; a prelude in front of it says how memory is
// read. One thread turns PACK neighbouring pairs of one token in up to HEADS heads, so that an
// angle, its cosine and its sine are computed once for all of them.
#ifndef ROPEGUARD_ROTATION
#define ROPEGUARD_ROTATION

namespace ropeguard {

// The phase in 2^-32 turns, from minus half a turn up to half: the upper half of a product that
// wraps at whole turns.
ROPEGUARD_INLINE int phase(int position, u64 step) {
  return (int)(unsigned int)(((u64)position * step) >> 32);
}

// Cosine and sine of a phase. The nearest quarter turn is taken off in integers; polynomials do the
// rest, on angles up to an eighth of a turn, with every rounding spelled out as a fused operation,
// so that no compiler has a choice and every backend has the same bits.
ROPEGUARD_INLINE void cos_sin(int turned, ROPEGUARD_LOCAL float& cosine, ROPEGUARD_LOCAL float& sine) {
  const unsigned int quarter = ((unsigned int)turned + 0x20000000u) >> 30;
  const int rest = (int)((unsigned int)turned - (quarter << 30));
  const float x = (float)rest * 1.46291812e-09f;
  const float z = x * x;
  const float s = ROPEGUARD_FMA(
      ROPEGUARD_FMA(ROPEGUARD_FMA(-0.000194956359f, z, 0.00833197869f), z, -0.166666508f),
      z * x, x);
  const float c = ROPEGUARD_FMA(
      z * z,
      ROPEGUARD_FMA(ROPEGUARD_FMA(2.44384519e-05f, z, -0.00138873677f), z, 0.0416666456f),
      ROPEGUARD_FMA(-0.5f, z, 1.0f));
  const bool swapped = quarter & 1u;
  cosine = swapped ? s : c;
  sine = swapped ? c : s;
  cosine = (quarter == 1u || quarter == 2u) ? -cosine : cosine;
  sine = quarter >= 2u ? -sine : sine;
}

// Turn a pack of pairs. A pair that does not turn keeps its bits: arithmetic would lose -0.0, and
// infinity times the sine of 0 is NaN.
template <typename T, int PACK, bool INVERSE>
ROPEGUARD_INLINE void turn(
    ROPEGUARD_LOCAL Pack<T, PACK>& first, ROPEGUARD_LOCAL Pack<T, PACK>& second,
    const ROPEGUARD_LOCAL int (&turned)[PACK], const ROPEGUARD_LOCAL float (&cosine)[PACK],
    const ROPEGUARD_LOCAL float (&sine)[PACK]) {
  ROPEGUARD_UNROLL
  for (int i = 0; i < PACK; ++i) {
    const float a = (float)first.values[i];
    const float b = (float)second.values[i];
    const float by = INVERSE ? -sine[i] : sine[i];
    const T x = (T)ROPEGUARD_FMA(a, cosine[i], -(b * by));
    const T y = (T)ROPEGUARD_FMA(b, cosine[i], a * by);
    first.values[i] = turned[i] == 0 ? first.values[i] : x;
    second.values[i] = turned[i] == 0 ? second.values[i] : y;
  }
}

// Turn the packs of HEADS heads, of queries first and then of keys, and pass on those of values. All
// are read before the first is written, so that many reads are under way at once.
template <typename T, int DIM, int Q_HEADS, int K_HEADS, int V_HEADS, int PACK, int HEADS,
          bool INVERSE, bool WIDE, typename Q, typename K, typename V, typename QOut, typename KOut,
          typename VOut>
ROPEGUARD_INLINE void turn_heads(
    Q q, K k, V v, QOut q_out, KOut k_out, VOut v_out, int from,
    const ROPEGUARD_LOCAL int (&turned)[PACK], const ROPEGUARD_LOCAL float (&cosine)[PACK],
    const ROPEGUARD_LOCAL float (&sine)[PACK]) {
  constexpr int HALF = DIM / 2;
  constexpr int KEYS = Q_HEADS;
  constexpr int VALUES = Q_HEADS + K_HEADS;
  Pack<T, PACK> first[HEADS];
  Pack<T, PACK> second[HEADS];
  ROPEGUARD_UNROLL
  for (int i = 0; i < HEADS; ++i) {
    const int head = from + i;
    if (head < KEYS) {
      load<WIDE>(q + head * DIM, first[i]);
      load<WIDE>(q + head * DIM + HALF, second[i]);
    } else if (head < VALUES) {
      load<WIDE>(k + (head - KEYS) * DIM, first[i]);
      load<WIDE>(k + (head - KEYS) * DIM + HALF, second[i]);
    } else if (head < VALUES + V_HEADS) {
      load<WIDE>(v + (head - VALUES) * DIM, first[i]);
      load<WIDE>(v + (head - VALUES) * DIM + HALF, second[i]);
    }
  }
  ROPEGUARD_UNROLL
  for (int i = 0; i < HEADS; ++i) {
    const int head = from + i;
    if (head < VALUES) {
      turn<T, PACK, INVERSE>(first[i], second[i], turned, cosine, sine);
    }
    if (head < KEYS) {
      store(first[i], q_out + head * DIM);
      store(second[i], q_out + head * DIM + HALF);
    } else if (head < VALUES) {
      store(first[i], k_out + (head - KEYS) * DIM);
      store(second[i], k_out + (head - KEYS) * DIM + HALF);
    } else if (head < VALUES + V_HEADS) {
      store(first[i], v_out + (head - VALUES) * DIM);
      store(second[i], v_out + (head - VALUES) * DIM + HALF);
    }
  }
}

// The work of thread `index`: threads of a token are neighbours, first over the packs of a head,
// then over groups of HEADS heads. With V_HEADS of 0, values are neither read nor written.
template <int DIM, int Q_HEADS, int K_HEADS, int V_HEADS, int PACK, int HEADS, bool INVERSE,
          typename Q, typename K, typename V, typename Positions, typename Steps, typename T>
ROPEGUARD_INLINE void rotate(
    Q q, K k, V v, Positions positions, Steps steps, ROPEGUARD_DEVICE T* q_out,
    ROPEGUARD_DEVICE T* k_out, ROPEGUARD_DEVICE T* v_out, u64 tokens, u64 index) {
  constexpr int PACKS = DIM / 2 / PACK;
  constexpr int GROUPS = (Q_HEADS + K_HEADS + V_HEADS + HEADS - 1) / HEADS;
  if (index >= tokens * (PACKS * GROUPS)) {
    return;
  }
  const unsigned int token = (unsigned int)index / (PACKS * GROUPS);
  const unsigned int place = (unsigned int)index % (PACKS * GROUPS);
  const int element = (int)(place % PACKS) * PACK;
  const int from = (int)(place / PACKS) * HEADS;

  int turned[PACK];
  float cosine[PACK];
  float sine[PACK];
  ROPEGUARD_UNROLL
  for (int i = 0; i < PACK; ++i) {
    turned[i] = phase(positions[token], steps[element + i]);
    cos_sin(turned[i], cosine[i], sine[i]);
  }

  const u64 q_row = (u64)token * (Q_HEADS * DIM) + element;
  const u64 k_row = (u64)token * (K_HEADS * DIM) + element;
  const u64 v_row = (u64)token * (V_HEADS * DIM) + element;
  if (is_aligned<PACK>(q) && is_aligned<PACK>(k) && is_aligned<PACK>(v)) {
    turn_heads<T, DIM, Q_HEADS, K_HEADS, V_HEADS, PACK, HEADS, INVERSE, true>(
        q + q_row, k + k_row, v + v_row, q_out + q_row, k_out + k_row, v_out + v_row, from, turned,
        cosine, sine);
  } else {
    turn_heads<T, DIM, Q_HEADS, K_HEADS, V_HEADS, PACK, HEADS, INVERSE, false>(
        q + q_row, k + k_row, v + v_row, q_out + q_row, k_out + k_row, v_out + v_row, from, turned,
        cosine, sine);
  }
}

}  // namespace ropeguard

#endif
