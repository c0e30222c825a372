import mlx.core as mx


def save_adapter(path: str, adapter: dict[str, mx.array], step: int) -> None:
    remarks = {"format": "mlx", "step": str(step)}
    mx.save_safetensors(path, adapter, metadata=remarks)


adapter = {"q_proj.lora_a": mx.random.normal((16, 4)), "q_proj.lora_b": mx.zeros((4, 16))}
save_adapter("last.safetensors", adapter, step=200)
