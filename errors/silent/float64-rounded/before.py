import mlx.core as mx


lines = ["1700000001.0 start", "1700000002.0 load", "1700000004.0 ready"]
stamps = [float(line.split()[0]) for line in lines]

times = mx.array(stamps)
gaps = times[1:] - times[:-1]
print("seconds between events", gaps.tolist())
