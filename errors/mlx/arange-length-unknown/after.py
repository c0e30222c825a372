import mlx.core as mx


FRAMES = 15


def positions(wanted):
    step = max(1, FRAMES // wanted)
    return mx.arange(0, FRAMES, step)


print([positions(wanted).tolist() for wanted in (3, 30)])
