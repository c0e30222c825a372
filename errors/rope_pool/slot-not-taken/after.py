from ropeguard import KVPool


pool = KVPool(2, 64, kv_heads=2, head_dim=8)
table = {request: pool.allocate(4) for request in ("a", "b")}
pool.release(table.pop("a"))
for request in list(table):
    pool.release(table[request])
print(pool.free)
