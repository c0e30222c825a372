// Stands in for Metal's standard library, so that the source that MLX generates for Metal is
// type-checked by clang, with address spaces that may not be mixed, and runs on a CPU.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
struct uint3 {
  uint x, y, z;
};

#ifdef TYPES_ONLY
#define device __attribute__((address_space(1)))
#define constant __attribute__((address_space(2)))
#define threadgroup __attribute__((address_space(3)))
typedef _Float16 half;
typedef __bf16 bfloat;
typedef ushort packed_ushort4 __attribute__((ext_vector_type(4), aligned(2)));
typedef uint packed_uint4 __attribute__((ext_vector_type(4), aligned(4)));
#else
#define ROPEGUARD_ONE_ADDRESS_SPACE
#define device
#define constant
#define threadgroup
typedef ushort packed_ushort4 __attribute__((vector_size(8), aligned(2)));
typedef uint packed_uint4 __attribute__((vector_size(16), aligned(4)));

static inline uint bits_of(float x) {
  uint bits;
  memcpy(&bits, &x, 4);
  return bits;
}
static inline float float_of(uint bits) {
  float x;
  memcpy(&x, &bits, 4);
  return x;
}

// The upper half of a float32, rounded to the nearest, ties to even.
struct bfloat {
  ushort bits;
  bfloat() = default;
  explicit bfloat(float x) {
    const uint b = bits_of(x);
    bits = x != x ? (b >> 16) | 0x40u : (b + 0x7fffu + ((b >> 16) & 1u)) >> 16;
  }
  explicit operator float() const { return float_of((uint)bits << 16); }
};

// IEEE binary16, rounded by adding a number whose last digit is where the last of the result is.
struct half {
  ushort bits;
  half() = default;
  explicit half(float x) {
    const uint sign = (bits_of(x) >> 16) & 0x8000u;
    const float a = __builtin_fabsf(x);
    if (a != a) {
      bits = sign | 0x7e00u;
    } else if (a >= 65520.0f) {
      bits = sign | 0x7c00u;
    } else if (a < 0x1p-14f) {
      bits = sign | (bits_of(a + 0.5f) - bits_of(0.5f));
    } else {
      const uint b = bits_of(a);
      const uint rounded = b + 0xfffu + ((b >> 13) & 1u);
      bits = sign | ((rounded - 0x38000000u) >> 13);
    }
  }
  explicit operator float() const {
    const uint sign = (uint)(bits & 0x8000u) << 16;
    const uint rest = bits & 0x7fffu;
    if (rest >= 0x7c00u) {
      return float_of(sign | 0x7f800000u | ((rest & 0x3ffu) << 13));
    }
    const float scaled = float_of(rest << 13) * 0x1p112f;
    return float_of(sign | bits_of(scaled));
  }
};
#endif
#define thread

typedef half float16_t;
typedef bfloat bfloat16_t;

namespace metal {
inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
}  // namespace metal
using namespace metal;

template <typename To, typename From>
inline To as_type(From from) {
  static_assert(sizeof(To) == sizeof(From), "as_type keeps the size");
  To to;
  memcpy((void*)&to, (const void*)&from, sizeof(To));
  return to;
}
