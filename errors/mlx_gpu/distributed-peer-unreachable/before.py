import atexit
import json
import os
import socket
import subprocess
import sys

import mlx.core as mx


JOIN = "import mlx.core as mx; mx.distributed.init(strict=True, backend='ring')"


def free_address() -> str:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        host, port = probe.getsockname()
        return host


with open("hosts.json", "w") as file:
    json.dump([[free_address()], [free_address()]], file)
os.environ |= {"MLX_HOSTFILE": "hosts.json", "MLX_RANK": "1"}
other = subprocess.Popen([sys.executable, "-c", JOIN], stderr=subprocess.DEVNULL)
atexit.register(other.kill)
os.environ["MLX_RANK"] = "0"
group = mx.distributed.init(strict=True, backend="ring")
print(group.rank(), group.size())
other.wait()
