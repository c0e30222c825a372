import mlx.core as mx


def pair_up(group):
    color = group.rank() // 2
    return group.split(color)


world = mx.distributed.init()
workers = pair_up(world)
print(workers.rank(), "of", workers.size())
