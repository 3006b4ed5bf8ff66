import sys

moves: list[str] = []
for line in sys.stdin:
    match line.split():
        case ["ugi"]:
            print("id name centre first\nugiok", flush=True)
        case ["isready"]:
            print("readyok", flush=True)
        case ["position", "startpos", *rest]:
            moves = rest[1:]
        case ["go"]:
            print("bestmove", next(c for c in "b2 a1 c1 a3 c3 b1 a2 c2 b3".split() if c not in moves), flush=True)
        case ["quit"]:
            break
