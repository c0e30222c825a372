import mlx.core as mx


WIDTH = 4
board = mx.zeros((3, WIDTH), dtype=mx.int32)


def place(board, row, column):
    board[mx.array([row]), mx.array([column])] = 1


place(board, row=0, column=WIDTH)
print(board.tolist())
