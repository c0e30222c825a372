from ropeguard.catalogue.templates import fill, parse


template = "`q` has shape {shape}"
print(fill(parse(template), {"shape": (4, 64)}, {"shape": "Shape"}))
