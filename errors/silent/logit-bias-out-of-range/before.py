import mlx.core as mx
from mlx_lm.sample_utils import make_logits_processors

logits = mx.array([[0.0, 2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0, 0.0]])
vocab = logits.shape[-1]
requested = {5: 100.0}

(bias,) = make_logits_processors(logit_bias={**requested, 4: -1.0})
biased = bias(mx.array([0, 0]), logits)
print("next token of each row:", mx.argmax(biased, axis=-1).tolist())
