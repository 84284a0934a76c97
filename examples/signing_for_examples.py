"""Signs an EIP-712 digest with nothing but the standard library.

Only for the examples: it is not constant-time, so its timing can tell about the key. A program of your own signs
with a library, such as eth_account, or with a hardware wallet.
"""

import hashlib
import hmac

P = 2**256 - 2**32 - 977
N = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
G = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)
LANES = 25
RATE = 136
MASK = 2**64 - 1


def keccak(data):
    """Keccak-256 as Ethereum uses it, which is not SHA3-256: the padding differs."""
    block = bytearray(data) + b"\x01"
    block += bytes(-len(block) % RATE)
    block[-1] |= 0x80
    state = [0] * LANES
    for start in range(0, len(block), RATE):
        for lane in range(RATE // 8):
            at = start + 8 * lane
            state[lane] ^= int.from_bytes(block[at : at + 8], "little")
        state = _permuted(state)
    return b"".join(lane.to_bytes(8, "little") for lane in state[:4])


def _rotated(lane, bits):
    bits %= 64
    return ((lane << bits) | (lane >> (64 - bits))) & MASK


def _permuted(state):
    register = 1
    for _ in range(24):
        column = [state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20] for x in range(5)]
        mixed = [column[x - 1] ^ _rotated(column[(x + 1) % 5], 1) for x in range(5)]
        state = [lane ^ mixed[at % 5] for at, lane in enumerate(state)]
        x, y, lane = 1, 0, state[1]
        for step in range(24):
            x, y = y, (2 * x + 3 * y) % 5
            lane, state[x + 5 * y] = state[x + 5 * y], _rotated(lane, (step + 1) * (step + 2) // 2)
        rows = [state[start : start + 5] for start in range(0, LANES, 5)]
        state = [row[x] ^ (~row[(x + 1) % 5] & MASK & row[(x + 2) % 5]) for row in rows for x in range(5)]
        for bit in range(7):
            register = ((register << 1) ^ ((register >> 7) * 0x71)) % 256
            if register & 2:
                state[0] ^= 1 << ((1 << bit) - 1)
    return state


def _sum(a, b):
    if a is None or b is None:
        return b if a is None else a
    if a[0] == b[0] and (a[1] + b[1]) % P == 0:
        return None
    if a == b:
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, P) % P
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P) % P
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def _product(point, factor):
    total = None
    while factor:
        if factor & 1:
            total = _sum(total, point)
        point = _sum(point, point)
        factor >>= 1
    return total


def address_of(key):
    x, y = _product(G, key)
    return "0x" + keccak(x.to_bytes(32, "big") + y.to_bytes(32, "big"))[12:].hex()


def _nonces(key, digest):
    """RFC 6979: the same key and digest give the same nonce, and no two digests share one."""
    seed = key.to_bytes(32, "big") + (int.from_bytes(digest, "big") % N).to_bytes(32, "big")
    k, v = bytes(32), b"\x01" * 32
    for separator in (b"\x00", b"\x01"):
        k = hmac.digest(k, v + separator + seed, hashlib.sha256)
        v = hmac.digest(k, v, hashlib.sha256)
    while True:
        v = hmac.digest(k, v, hashlib.sha256)
        yield int.from_bytes(v, "big")
        k = hmac.digest(k, v + b"\x00", hashlib.sha256)
        v = hmac.digest(k, v, hashlib.sha256)


def sign(key, digest):
    """The 65 bytes of a signature, in hexadecimal."""
    for nonce in _nonces(key, digest):
        if not 0 < nonce < N:
            continue
        x, y = _product(G, nonce)
        r = x % N
        s = pow(nonce, -1, N) * (int.from_bytes(digest, "big") + r * key) % N
        if x < N and r and s:
            odd = y & 1
            if s > N // 2:
                s, odd = N - s, 1 - odd
            return "0x" + (r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([27 + odd])).hex()
