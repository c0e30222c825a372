// Runs kernels on the CPU as Metal would: exactly the threads of the grid, in threadgroups that fit.
// Reads calls from standard input and writes what they put into their outputs.

static void fail(const char* why) {
  fprintf(stderr, "shim: %s\n", why);
  exit(3);
}

static long number() {
  int64_t value;
  if (fread(&value, 8, 1, stdin) != 1) {
    exit(0);
  }
  return value;
}

struct Buffer {
  char* memory;
  char* start;
  size_t size;
  bool written;

  // Nothing but the buffer itself may be touched: what malloc returns ends where it does. A skew
  // moves the start, like a view that begins inside of an allocation.
  void read(int poison) {
    written = number();
    const size_t skew = number();
    size = number();
    memory = (char*)malloc(size + skew ? size + skew : 1);
    start = memory + skew;
    memset(memory, poison, size + skew);
    if (!written && size && fread(start, 1, size, stdin) != size) {
      fail("input is short");
    }
  }
};

int main() {
  for (;;) {
    const long kernel = number();
    const long grid = number();
    const long group = number();
    const int poison = (int)number();
    const long count = number();
    if (group < 1 || group > 1024) {
      fail("a threadgroup has 1 to 1024 threads");
    }
    if (grid < 1 || grid >= (1l << 32)) {
      fail("a grid is numbered by 32 bits");
    }
    Buffer buffers[16];
    char* starts[16];
    for (long i = 0; i < count; ++i) {
      buffers[i].read(poison);
      starts[i] = buffers[i].start;
    }
    for (long i = 0; i < grid; ++i) {
      run(kernel, starts, uint3{(uint)i, 0, 0});
    }
    for (long i = 0; i < count; ++i) {
      if (buffers[i].written) {
        fwrite(buffers[i].start, 1, buffers[i].size, stdout);
      }
      free(buffers[i].memory);
    }
    fflush(stdout);
  }
}
