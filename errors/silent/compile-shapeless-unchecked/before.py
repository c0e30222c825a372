import mlx.core as mx


weight = mx.ones((3, 2))
project = mx.compile(lambda features: features @ weight, shapeless=True)


def answer(features):
    try:
        return project(features).shape
    except ValueError:
        return "refused"


answers = [answer(mx.ones((2, 3))), answer(mx.arange(12.0).reshape(2, 6))]
print("three features", answers[0])
print("six features  ", answers[1])
