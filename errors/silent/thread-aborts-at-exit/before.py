import subprocess
import sys


PROGRAM = """
import threading, time
import mlx.core as mx

def worker():
    while not stop.is_set():
        mx.random.uniform(shape=(2,)).tolist()

stop = threading.Event()
thread = threading.Thread(target=worker, daemon=True)
thread.start()
time.sleep(0.05)
"""

command = [sys.executable, "-c", PROGRAM]
statuses = [subprocess.run(command, capture_output=True).returncode for _ in range(8)]
aborted = any(status < 0 for status in statuses)
print("ended by a signal, one run of eight at least:", aborted)
