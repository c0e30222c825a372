import atexit
import json
import os
import socket
import subprocess
import sys

import mlx.core as mx


def free_address():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return [f"127.0.0.1:{probe.getsockname()[1]}"]


def connect(ranks, peer):
    with open("hosts.json", "w") as stream:
        json.dump([free_address() for _ in range(ranks)], stream)
    environment = {**os.environ, "MLX_HOSTFILE": "hosts.json"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    command = [sys.executable, "-c", peer]
    other = subprocess.Popen(command, env={**environment, "MLX_RANK": "1"}, **quiet)
    atexit.register(other.kill)
    os.environ.update(environment, MLX_RANK="0")
    return mx.distributed.init(strict=True, backend="ring")


PEER = """
import mlx.core as mx
group = mx.distributed.init(strict=True, backend="ring")
mx.eval(mx.distributed.all_sum(mx.array(1.0), group=group))
"""
world = connect(2, PEER)
pair = world
total = mx.distributed.all_sum(mx.array(1.0), group=pair)
print(total)
