import ropeguard


try:
    print(int("4096"))
except ropeguard.RopeguardError as wrong:
    print(wrong.code)
finally:
    print(ropeguard.RopeguardError.__name__)
