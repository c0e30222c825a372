import mlx.core as mx


def checkpoint_path(run: str, step: int) -> str:
    return f"runs/{run}/step-{step}.safetensors"


adapter = mx.zeros((4, 2))
for step in range(1, 3):
    adapter = adapter - 0.1 * mx.random.normal(adapter.shape)
    path = checkpoint_path("lora", step)
    mx.save_safetensors(path, {"a": adapter})
print("saved", path)
