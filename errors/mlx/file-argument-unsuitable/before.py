import io

import mlx.core as mx


def receive():
    stream = io.BytesIO()
    mx.save_safetensors(stream, {"bias": mx.zeros((3,))})
    return stream.getvalue()


data = receive()
weights = mx.load(data, format="safetensors")
print(weights["bias"].shape)
