import os
import sys


PROFILE = "(version 1)(allow default)(deny iokit-open)"
PROGRAM = """
import mlx.core as mx

mx.eval(mx.ones((3,)) + 1)
"""

if __name__ == "__main__":
    os.execvp("sandbox-exec", ["sandbox-exec", "-p", PROFILE, sys.executable, "-c", PROGRAM])
