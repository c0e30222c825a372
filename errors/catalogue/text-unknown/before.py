from ropeguard.catalogue import look_up


log = "ERROR worker 3 stopped: AttributeError: ropeguard has no"
for hit in look_up(log).hits:
    print(hit.entry["code"], hit.entry["title"])
