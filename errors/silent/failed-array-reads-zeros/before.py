import mlx.core as mx


measured = mx.zeros((2, 2))
calibration = mx.linalg.inv(measured, stream=mx.cpu)
try:
    print("size of the correction", mx.abs(calibration).sum().item())
except RuntimeError as error:
    print("logged", str(error).partition(" ")[0])
corrected = mx.array([3.0, 4.0]) @ calibration
print("corrected", corrected.tolist())
