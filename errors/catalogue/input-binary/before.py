from ropeguard.catalogue import look_up


error = "AttributeError: ropeguard has no public name `gaurd` [RG4270]\n"
saved = error.encode("utf-16-le")
text = saved.decode("utf-8")
print(look_up(text).hits[0].entry["slug"])
