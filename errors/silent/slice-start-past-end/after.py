import mlx.core as mx


SIZE = 4
recording = mx.arange(20).reshape(2, 10)
mx.eval(recording)

start = mx.clip(mx.array([8]), 0, recording.shape[1] - SIZE)
crop = mx.slice(recording, start, axes=(1,), slice_size=(2, SIZE))
print("first channel ", recording[0].tolist())
print("crop of it    ", crop[0].tolist())
