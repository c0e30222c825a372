import mlx.core as mx


def inverse(matrix):
    try:
        result = mx.linalg.inv(matrix, stream=mx.cpu)
        return result
    except RuntimeError:
        return mx.zeros(matrix.shape)


inverses = [inverse(mx.zeros((2, 2))), inverse(mx.array([[2.0, 0.0], [0.0, 2.0]]))]
try:
    mx.eval(inverses)
    inverted = True
except RuntimeError as error:
    inverted = False
    print("all of them lost:", str(error).partition(" ")[0])
print("evaluated:", inverted)
