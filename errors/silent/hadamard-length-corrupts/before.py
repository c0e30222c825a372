import subprocess
import sys


WORKER = """
import mlx.core as mx
x = mx.random.normal((4, 36))
blocks = x
again = mx.hadamard_transform(mx.hadamard_transform(blocks)).reshape(x.shape)
print(f"restored {mx.allclose(again, x, atol=1e-3).item()}")
"""

worker = subprocess.run([sys.executable, "-c", WORKER], capture_output=True, text=True)
done = [worker.returncode == 0 and "restored True" in worker.stdout]
print("restored:", *done)
