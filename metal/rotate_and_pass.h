ropeguard::rotate<DIM, Q_HEADS, K_HEADS, K_HEADS, PACK, HEADS, INVERSE>(
    q, k, v, positions, steps, q_out, k_out, v_out, (ropeguard::u64)q_shape[0],
    thread_position_in_grid.x);
