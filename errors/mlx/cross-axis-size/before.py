import mlx.core as mx


def face_normals(corners):
    a, b, c = corners
    return mx.linalg.cross(b - a, c - a)


origin = mx.array([[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]])
right = mx.array([[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]])
up = mx.array([[0.0, 1.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0]])
normals = face_normals([origin, right, up])
print(normals.tolist())
