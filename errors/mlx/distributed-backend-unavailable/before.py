import mlx.core as mx


BACKEND = "gloo"


def average_loss(loss, group):
    return mx.distributed.all_sum(loss, group=group)


group = mx.distributed.init(backend=BACKEND)
total = average_loss(mx.array(3.0), group)
print(group.rank(), "of", group.size(), total)
