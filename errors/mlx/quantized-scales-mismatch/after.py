import mlx.core as mx


GROUP_SIZE = 32


def export(path: str) -> None:
    weight, scales, biases = mx.quantize(mx.random.normal((48, 128)), group_size=GROUP_SIZE)
    mx.save_safetensors(path, {"weight": weight, "scales": scales, "biases": biases})


export("head.safetensors")
table = mx.load("head.safetensors")
hidden = mx.random.normal((1, 128))
logits = mx.quantized_matmul(
    hidden, table["weight"], table["scales"], table["biases"], group_size=GROUP_SIZE
)
print(logits.shape)
