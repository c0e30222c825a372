import mlx.core as mx


mx.set_default_device(mx.cpu)
PAD = 0
tokens = mx.array([[5, 9, 7, PAD], [3, 4, 8, 6]])

first_pad = mx.argmax(tokens == PAD, axis=1)
last = first_pad - 1
print("last token at", last.tolist(), flush=True)
ends = tokens[mx.arange(2), last]
print(ends.tolist())
