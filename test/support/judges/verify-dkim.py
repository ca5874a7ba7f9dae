"""Verifies the signatures of messages with dkimpy.

Input: {"keys": {DNS name: TXT record}, "messages": {name: base64}}
Output: {name: [{"domain", "selector", "isValid"}]}
"""
import base64
import json
import sys

import dkim

given = json.load(sys.stdin)


def look_up(name, timeout=5):
    record = given["keys"].get(name.decode().rstrip(".").lower())
    return record.encode() if record else None


def verdicts(raw):
    found = []
    count = sum(1 for name, _ in dkim.rfc822_parse(raw)[0] if name.lower() == b"dkim-signature")
    for index in range(count):
        signature = dkim.DKIM(raw)
        try:
            valid = bool(signature.verify(idx=index, dnsfunc=look_up))
        except Exception:  # The libraries below dkimpy raise errors of their own.
            valid = False
        found.append(
            {
                "domain": (signature.domain or b"").decode(),
                "selector": (signature.selector or b"").decode(),
                "isValid": valid,
            }
        )
    return found


json.dump({name: verdicts(base64.b64decode(raw)) for name, raw in given["messages"].items()}, sys.stdout)
