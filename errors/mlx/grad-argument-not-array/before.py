import mlx.core as mx


def contrast(parameters, images, texts):
    scores = (images @ parameters["projection"]) @ texts.T
    logits = scores * mx.exp(parameters["log_scale"])
    return (mx.logsumexp(logits, axis=1) - mx.diag(logits)).mean()


parameters = {"projection": mx.random.normal((8, 4)), "log_scale": 1.0}
images, texts = mx.random.normal((3, 8)), mx.random.normal((3, 4))
value, gradients = mx.value_and_grad(contrast)(parameters, images, texts)
print({name: gradient.shape for name, gradient in gradients.items()})
