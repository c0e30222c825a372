// Which row of a pool every token goes to: its slot, if the pool has that row and no later token
// wants it, and else a row of the caller's choice. One thread a token, which looks at all later ones.
#ifndef ROPEGUARD_PLACEMENT
#define ROPEGUARD_PLACEMENT

namespace ropeguard {

// `limits` holds the number of rows that the pool has, and the row for what is not kept.
template <typename Slots, typename Limits, typename Rows>
ROPEGUARD_INLINE void place(Slots slots, Limits limits, Rows rows, u64 tokens, u64 index) {
  if (index >= tokens) {
    return;
  }
  const int slot = slots[index];
  bool kept = slot >= 0 && slot < limits[0];
  u64 later = index + 1;
  // Several reads that do not wait for each other.
  for (; kept && later + 8 <= tokens; later += 8) {
    bool again = false;
    ROPEGUARD_UNROLL
    for (int i = 0; i < 8; ++i) {
      again |= slots[later + i] == slot;
    }
    kept = !again;
  }
  for (; kept && later < tokens; ++later) {
    kept = slots[later] != slot;
  }
  rows[index] = kept ? slot : limits[1];
}

}  // namespace ropeguard

#endif
