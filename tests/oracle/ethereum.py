"""Keccak-256 and the signing of Ethereum personal messages (EIP-191) on secp256k1: a second opinion, plain and slow."""
import hashlib

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798, 0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8)
MASK = 2**64 - 1


def round_constants():
    lfsr, out = 1, []
    for _ in range(24):
        word = 0
        for j in range(7):
            if lfsr & 1:
                word |= 1 << (2**j - 1)
            lfsr = (lfsr << 1) ^ (0x171 if lfsr & 0x80 else 0)
        out.append(word)
    return out


def keccak_f(a, constants=tuple(round_constants())):
    turn = lambda x, n: ((x << n) | (x >> (64 - n))) & MASK if n else x
    for constant in constants:
        c = [a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20] for x in range(5)]
        d = [c[(x - 1) % 5] ^ turn(c[(x + 1) % 5], 1) for x in range(5)]
        a = [a[i] ^ d[i % 5] for i in range(25)]
        b, x, y, moved = [0] * 25, 1, 0, 0
        b[0] = a[0]
        for t in range(24):
            moved = (moved + t + 1) % 64
            x, y, source = y, (2 * x + 3 * y) % 5, a[x + 5 * y]
            b[x + 5 * y] = turn(source, moved)
        a = [b[i] ^ (~b[i - i % 5 + (i + 1) % 5] & MASK & b[i - i % 5 + (i + 2) % 5]) for i in range(25)]
        a[0] ^= constant
    return a


def keccak256(data):
    data = bytearray(data) + b"\x01" + bytes(-(len(data) + 1) % 136)
    data[-1] |= 0x80
    state = [0] * 25
    for block in range(0, len(data), 136):
        for i in range(17):
            state[i] ^= int.from_bytes(data[block + 8 * i:block + 8 * i + 8], "little")
        state = keccak_f(state)
    return b"".join(word.to_bytes(8, "little") for word in state[:4])


def add(a, b):
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and (a[1] + b[1]) % P == 0:
        return None
    slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, P) if a == b else (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def times(k, point=G):
    out = None
    while k:
        if k & 1:
            out = add(out, point)
        point, k = add(point, point), k >> 1
    return out


def address_of(key):
    x, y = times(key)
    return "0x" + keccak256(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:].hex()


def sign(key, text):
    """65 bytes: r, s, 27 or 28; s in the lower half."""
    message = text.encode()
    z = int.from_bytes(keccak256(b"\x19Ethereum Signed Message:\n%d" % len(message) + message), "big")
    k = int.from_bytes(hashlib.sha512(key.to_bytes(32, "big") + z.to_bytes(32, "big")).digest(), "big") % N
    x, y = times(k)
    r, odd = x % N, y & 1
    s = pow(k, -1, N) * (z + r * key) % N
    if s > N // 2:
        s, odd = N - s, 1 - odd
    return r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([27 + odd])
