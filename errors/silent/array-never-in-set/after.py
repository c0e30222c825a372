import mlx.core as mx


STOP_TOKENS = {2}


def generate(script):
    for row in script:
        token = mx.argmax(row).item()
        if token in STOP_TOKENS:
            return
        yield int(token)


logits = mx.eye(6)[mx.array([5, 3, 2, 4])]
words = list(generate(logits))
print("generated", words)
