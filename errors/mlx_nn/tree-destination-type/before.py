import mlx.nn as nn
from mlx.utils import tree_flatten


model = nn.Linear(4, 3)
weights = tree_flatten(model.parameters(), destination=dict)
print(sorted(weights))
