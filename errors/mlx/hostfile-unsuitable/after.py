import json
from pathlib import Path

from mlx._distributed_utils.common import Hostfile

machines = {"mac-1": "10.0.0.1", "mac-2": "10.0.0.2"}
hosts = [{"ssh": name, "ips": [address]} for name, address in machines.items()]
Path("hosts.json").write_text(json.dumps({"backend": "ring", "hosts": hosts}))

cluster = Hostfile.from_file("hosts.json")
print(len(cluster.hosts))
