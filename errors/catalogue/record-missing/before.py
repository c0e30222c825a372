from ropeguard.catalogue import error


try:
    raise error("public-name-unknwon", name="gaurd")
except AttributeError as wrong:
    print("caught:", wrong)
