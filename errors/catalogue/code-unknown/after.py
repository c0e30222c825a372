from ropeguard.catalogue import entry


seen = ["RG5278", "RG4270"]
for code in seen:
    print(code, entry(code)["title"])
