// What the kernel needs of CUDA.
#ifndef ROPEGUARD_PRELUDE
#define ROPEGUARD_PRELUDE

#define ROPEGUARD_INLINE __device__ __forceinline__
#define ROPEGUARD_DEVICE
#define ROPEGUARD_LOCAL
#define ROPEGUARD_FMA(a, b, c) __fmaf_rn(a, b, c)
#define ROPEGUARD_UNROLL _Pragma("unroll")
// MLX gives Metal this name, and only where the kernel's text has it.
#define thread_position_in_grid ropeguard::position()

namespace ropeguard {

typedef unsigned long long u64;

struct Position {
  u64 x;
};

__device__ __forceinline__ Position position() {
  Position at;
  at.x = (u64)blockIdx.x * blockDim.x + threadIdx.x;
  return at;
}

template <int BYTES>
struct Word {
  typedef unsigned char Type;
};
template <>
struct Word<4> {
  typedef unsigned int Type;
};
template <>
struct Word<8> {
  typedef uint2 Type;
};
template <>
struct Word<16> {
  typedef uint4 Type;
};

// Values in registers, aligned so that one instruction can move them.
template <typename T, int N>
struct alignas(16) Pack {
  T values[N];
};

// Whether whole packs can be read. A view may start at any element, and a wide load at another
// address than a multiple of its size would be a fault.
template <int N, typename T>
__device__ __forceinline__ bool is_aligned(const T* from) {
  return reinterpret_cast<u64>(from) % (N * sizeof(T)) == 0;
}

template <bool WIDE, typename T, int N>
__device__ __forceinline__ void load(const T* from, Pack<T, N>& to) {
  typedef typename Word<N * sizeof(T)>::Type Whole;
  if (WIDE && sizeof(Whole) == N * sizeof(T)) {
    *reinterpret_cast<Whole*>(&to) = *reinterpret_cast<const Whole*>(from);
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) {
      to.values[i] = from[i];
    }
  }
}

// Outputs are fresh allocations, and every pack of theirs is aligned to its own size.
template <typename T, int N>
__device__ __forceinline__ void store(const Pack<T, N>& from, T* to) {
  typedef typename Word<N * sizeof(T)>::Type Whole;
  if (sizeof(Whole) == N * sizeof(T)) {
    *reinterpret_cast<Whole*>(to) = *reinterpret_cast<const Whole*>(&from);
  } else {
#pragma unroll
    for (int i = 0; i < N; ++i) {
      to[i] = from.values[i];
    }
  }
}

}  // namespace ropeguard

#endif
