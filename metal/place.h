ropeguard::place(
    slots, limits, rows, (ropeguard::u64)slots_shape[0], thread_position_in_grid.x);
