from mlx_lm.tuner.trainer import iterate_batches

dataset = [([3, 7, 9, 2], 0), ([3, 8, 2], 0), ([3, 5, 5, 5, 2], 0)]
batch_size = 4
tokens, lengths = next(iterate_batches(dataset, batch_size, max_seq_length=64))
print(tokens.shape, lengths.tolist())
