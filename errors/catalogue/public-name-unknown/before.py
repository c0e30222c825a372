import ropeguard


try:
    print(int("4096"))
except ropeguard.RopegardError as wrong:
    print(wrong.code)
finally:
    print(ropeguard.RopegardError.__name__)
