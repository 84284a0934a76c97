"""Buys through the gateway of the guard, in Python and without a package.

    BUYER_KEY=0x... python3 guard_gateway.py http://127.0.0.1:4403 https://seller.example/path

All that the guard needs of a client is that its requests go to the gateway, with the URL of the seller behind its
address. The key stays here, and the gateway sends nothing but what was approved.
"""

import base64
import json
import os
import secrets
import sys
import time
import urllib.error
import urllib.request

from signing_for_examples import address_of, keccak, sign

DOMAIN = b"EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
TRANSFER = (
    b"TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,"
    b"uint256 validBefore,bytes32 nonce)"
)


def word(value):
    """32 bytes of a number, an address or a hash in hexadecimal, or the hash of a text."""
    if isinstance(value, bytes):
        return keccak(value)
    return (int(value, 0) if isinstance(value, str) else value).to_bytes(32, "big")


def struct(*values):
    return keccak(b"".join(word(value) for value in values))


def payment_for(challenge, key):
    """Signs the first entry. The gateway has left only entries in the 402 that may be paid."""
    entry = challenge["accepts"][0]
    now = int(time.time())
    authorization = {
        "from": address_of(key),
        "to": entry["payTo"],
        "value": entry["amount"],
        "validAfter": str(now - 600),
        "validBefore": str(now + entry["maxTimeoutSeconds"]),
        "nonce": "0x" + secrets.token_hex(32),
    }
    extra, chain = entry["extra"], int(entry["network"].split(":")[1])
    domain = struct(DOMAIN, extra["name"].encode(), extra["version"].encode(), chain, entry["asset"])
    digest = keccak(b"\x19\x01" + domain + struct(TRANSFER, *authorization.values()))
    payment = {
        "x402Version": 2,
        "resource": challenge.get("resource"),
        "accepted": entry,
        "payload": {"signature": sign(key, digest), "authorization": authorization},
    }
    return base64.b64encode(json.dumps(payment).encode()).decode()


def get(url, headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=20) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.headers, answer.read()


def main():
    gateway, seller = sys.argv[1:3]
    key = int(os.environ["BUYER_KEY"], 16)
    url = f"{gateway}/{seller}"
    # The most that this purchase may cost, whatever the policy allows.
    mine = {"X-Assay-Max-Price": "0.05"}
    status, headers, body = get(url, mine)
    if status == 402:
        challenge = json.loads(base64.b64decode(headers["PAYMENT-REQUIRED"]))
        status, headers, body = get(url, {**mine, "PAYMENT-SIGNATURE": payment_for(challenge, key)})
    print(status, body.decode())


main()
