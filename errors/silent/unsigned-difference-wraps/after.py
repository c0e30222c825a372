import mlx.core as mx


previous = mx.array([[10, 200], [30, 40]], dtype=mx.uint8)
frame = mx.array([[11, 198], [30, 41]], dtype=mx.uint8)

change = mx.abs(frame.astype(mx.int16) - previous)
print("largest change", change.max().item())
print(change.tolist())
