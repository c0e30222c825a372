ropeguard::rotate<DIM, Q_HEADS, K_HEADS, 0, PACK, HEADS, INVERSE>(
    q, k, k, positions, steps, q_out, k_out, k_out, (ropeguard::u64)q_shape[0],
    thread_position_in_grid.x);
