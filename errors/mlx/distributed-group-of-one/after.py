import mlx.core as mx


def stage_input(x, group):
    first = group.rank() == group.size() - 1
    if not first:
        return mx.distributed.recv_like(x, group.rank() + 1, group=group)
    return x


def stage_output(x, group):
    if group.rank() == 0:
        return x
    return mx.distributed.send(x, group.rank() - 1, group=group)


group = mx.distributed.init()
result = stage_output(2 * stage_input(mx.ones((2,)), group), group)
print(result.tolist())
