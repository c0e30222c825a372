import numpy as np
from mlx_lm.processors.muse_spark import IMAGE_PATCH, Processor


class Preview(Processor):
    def preprocess_image(self, image):
        return image, 4


processor = Preview.from_config({"vision_config": {"patch_size": 14}})
photo = np.zeros((56, 56, 3), dtype=np.uint8)
text = IMAGE_PATCH + "What is this?"
ids_text, pixels = processor(text, images=[photo])
print(len(pixels))
