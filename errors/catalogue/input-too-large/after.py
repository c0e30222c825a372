from ropeguard.catalogue import look_up


steps = [f"step {step} loss 0.71" for step in range(60_000)]
steps.append("AttributeError: ropeguard has no public name `gaurd` [RG4270]")
log = "\n".join(steps)
print(look_up(log[-4000:]).hits[0].entry["slug"])
