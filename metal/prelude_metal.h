// What the kernel needs of Metal.
#ifndef ROPEGUARD_PRELUDE
#define ROPEGUARD_PRELUDE

#define ROPEGUARD_INLINE inline
#define ROPEGUARD_DEVICE device
#define ROPEGUARD_LOCAL thread
#define ROPEGUARD_FMA(a, b, c) metal::fma(a, b, c)
#define ROPEGUARD_UNROLL

namespace ropeguard {

typedef ulong u64;

// Values in registers.
template <typename T, int N>
struct Pack {
  T values[N];
};

// Four values at a time, of 16 or 32 bits, at any address that a single one may have: a packed
// vector is aligned like its elements.
template <int BYTES>
struct Four;
template <>
struct Four<2> {
  typedef packed_ushort4 Type;
  typedef ushort Word;
};
template <>
struct Four<4> {
  typedef packed_uint4 Type;
  typedef uint Word;
};

// Loads of packed vectors suit every address.
template <int N, typename Pointer>
inline bool is_aligned(Pointer) {
  return true;
}

template <bool WIDE, typename T, int N>
inline void load(const device T* from, thread Pack<T, N>& to) {
  if (N % 4 == 0) {
    const device typename Four<sizeof(T)>::Type* words =
        (const device typename Four<sizeof(T)>::Type*)from;
    for (int i = 0; i < N / 4; ++i) {
      const typename Four<sizeof(T)>::Type four = words[i];
      for (int j = 0; j < 4; ++j) {
        to.values[4 * i + j] = as_type<T>((typename Four<sizeof(T)>::Word)four[j]);
      }
    }
  } else {
    for (int i = 0; i < N; ++i) {
      to.values[i] = from[i];
    }
  }
}

// MLX hands arrays of fewer than 8 elements over in constant memory. A compiler without address
// spaces, as in the tests, knows one function only.
#ifndef ROPEGUARD_ONE_ADDRESS_SPACE
template <bool WIDE, typename T, int N>
inline void load(const constant T* from, thread Pack<T, N>& to) {
  for (int i = 0; i < N; ++i) {
    to.values[i] = from[i];
  }
}
#endif

template <typename T, int N>
inline void store(const thread Pack<T, N>& from, device T* to) {
  if (N % 4 == 0) {
    device typename Four<sizeof(T)>::Type* words = (device typename Four<sizeof(T)>::Type*)to;
    for (int i = 0; i < N / 4; ++i) {
      typename Four<sizeof(T)>::Type four;
      for (int j = 0; j < 4; ++j) {
        four[j] = as_type<typename Four<sizeof(T)>::Word>(from.values[4 * i + j]);
      }
      words[i] = four;
    }
  } else {
    for (int i = 0; i < N; ++i) {
      to[i] = from.values[i];
    }
  }
}

}  // namespace ropeguard

#endif
