import subprocess
import sys


WORKER = """
import mlx.core as mx
counts = mx.array([[0.0, 2.0], [0.0, 0.0]])
transition = counts / counts.sum(axis=1, keepdims=True)
print(f"values: {mx.linalg.eigvals(transition, stream=mx.cpu)}")
"""

worker = subprocess.run([sys.executable, "-c", WORKER], capture_output=True, text=True)
done = [worker.returncode == 0 and "values:" in worker.stdout]
print("exit status:", worker.returncode)
print("result printed:", *done)
