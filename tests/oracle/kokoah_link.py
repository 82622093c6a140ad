"""The link format of Kokoah as a plain walk over events, and random histories for it: a second opinion on rules/kokoah/link."""
import base64
import csv
import hashlib
import os
import random

import ethereum

DAY = 86_400_000
START = 1_704_067_200_000
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def ss58(key):
    raw = b"\x2a" + key
    raw += hashlib.blake2b(b"SS58PRE" + raw).digest()[:2]
    n, text = int.from_bytes(raw, "big"), ""
    while n:
        n, digit = divmod(n, 58)
        text = ALPHABET[digit] + text
    return text


def line_of(netuid, hotkey, address):
    return f"kokoah-bind-1 netuid={netuid} hotkey={hotkey} address={address}"


def read_field(text):
    """(tag, payload or None): a field that is no base64 still shows its tag in its first four characters."""
    try:
        raw = base64.b64decode(text, validate=True)
        if base64.b64encode(raw).decode() != text:
            raw = None
    except ValueError:
        raw = None
    if raw is not None:
        return raw[:2], raw[2:]
    try:
        return base64.b64decode(text[:4], validate=True)[:2], None
    except ValueError:
        return b"", None


class Rule:
    """signers: (line, signature) to address, of all signatures ever made; so nothing needs to be recovered."""

    def __init__(self, netuid, signers):
        self.netuid, self.signers = netuid, signers

    def verdict(self, commitment, address_of, hotkey_of, changed, present):
        """(reason or "", address, machine: None, False when it is malformed, or its parts)"""
        time, hotkey, fields = commitment["time"], commitment["hotkey"], commitment["fields"]
        parts = {}
        for field in fields.split(" "):
            tag, payload = read_field(field)
            if tag in parts or tag not in (b"K1", b"P1", b"A1"):
                return "malformed", None, None
            parts[tag] = payload
        if parts.get(b"K1") is None or len(parts[b"K1"]) != 85 or (b"P1" in parts and len(parts[b"P1"] or b"") != 85):
            return "malformed", None, None
        address = "0x" + parts[b"K1"][:20].hex()
        line = line_of(self.netuid, hotkey, address)
        if self.signers.get((line, parts[b"K1"][20:])) != address:
            return "the signature is not by the address", None, None
        previous = None
        if b"P1" in parts:
            previous = "0x" + parts[b"P1"][:20].hex()
            if previous == address:
                return "P1 names the new address itself", None, None
            if self.signers.get((line, parts[b"P1"][20:])) != previous:
                return "the signature of P1 is not by its address", None, None
        if not present:
            return "the hotkey is not registered", None, None
        mine, holder = address_of.get(hotkey), hotkey_of.get(address)
        if mine is None and holder is not None:
            return "the address is linked to another hotkey", None, None
        if mine not in (None, address):
            if previous is None:
                return "a change of address without P1", None, None
            if previous != mine:
                return "the address of P1 is not the one linked", None, None
            if hotkey in changed and time - changed[hotkey] < 60 * DAY:
                return "too soon after the last accepted change", None, None
            if holder is not None:
                return "the new address is not free", None, None
        machine = None
        if b"A1" in parts:
            agent = parts[b"A1"] or b""
            machine = False
            if 35 <= len(agent) <= 85 and agent[32:34] != b"\0\0":
                try:
                    machine = agent[:32].hex(), str(int.from_bytes(agent[32:34], "big")), agent[34:].decode()
                except UnicodeDecodeError:
                    pass
        return "", address, machine

    def run(self, commitments, registrations):
        """The rows of identity, agent_machine and refusal, as texts, in order."""
        events = [(r["left_at"], 0, r["hotkey"].encode(), r) for r in registrations if r["left_at"] is not None]
        events += [(c["time"], 1, c["hotkey"].encode(), c) for c in commitments if c["netuid"] == self.netuid]
        address_of, hotkey_of, changed, open_link, open_machine = {}, {}, {}, {}, {}
        identity, machines, refusals = [], [], []
        for time, kind, _, record in sorted(events, key=lambda e: e[:3]):
            hotkey = record["hotkey"]
            if kind == 0:
                hotkey_of.pop(address_of.pop(hotkey, None), None)
                for still_open in (open_link, open_machine):
                    if hotkey in still_open:
                        still_open.pop(hotkey)[-1] = str(time)
                continue
            under = [r for r in registrations if r["hotkey"] == hotkey and r["registered_at"] <= time and (r["left_at"] is None or time < r["left_at"])]
            reason, address, machine = self.verdict(record, address_of, hotkey_of, changed, bool(under))
            if reason:
                refusals.append([str(time), hotkey, reason])
                continue
            if address_of.get(hotkey) != address:
                if hotkey in address_of:
                    hotkey_of.pop(address_of[hotkey])
                    changed[hotkey] = time
                    open_link[hotkey][-1] = str(time)
                address_of[hotkey], hotkey_of[address] = address, hotkey
                open_link[hotkey] = [under[0]["miner"] or hotkey, str(time), hotkey, under[0]["coldkey"], address, "", ""]
                identity.append(open_link[hotkey])
            if hotkey in open_machine:
                open_machine.pop(hotkey)[-1] = str(time)
            if machine:
                open_machine[hotkey] = [hotkey, str(time), *machine, ""]
                machines.append(open_machine[hotkey])
            elif machine is False:
                refusals.append([str(time), hotkey, "A1 is malformed"])
        by = lambda *columns: lambda row: [int(row[c]) if row[c].isdigit() else row[c].encode() for c in columns]
        return {"identity": sorted(identity, key=by(0, 1)), "agent_machine": sorted(machines, key=by(0, 1)), "refusal": sorted(refusals, key=by(0, 1))}


class World:
    """A random history: few hotkeys and addresses that often meet, and every kind of fault."""

    def __init__(self, seed, count=90, netuid=42):
        self.random, self.netuid, self.signers = random.Random(seed), netuid, {}
        self.keys = [int.from_bytes(hashlib.sha256(b"address %d of %d" % (i, seed)).digest(), "big") for i in range(5)]
        self.addresses = [ethereum.address_of(key) for key in self.keys]
        self.hotkeys = [ss58(hashlib.sha256(b"hotkey %d of %d" % (i, seed)).digest()) for i in range(4)]
        self.registrations, self.commitments = [], []
        for i, hotkey in enumerate(self.hotkeys):
            time = START
            while time < START + 400 * DAY:
                left = time + self.random.randrange(60, 300) * DAY
                self.registrations.append({"hotkey": hotkey, "registered_at": time, "coldkey": self.random.choice(["", "cold"]),
                                           "left_at": left if left < START + 500 * DAY else None, "miner": "" if i % 2 else f"miner{i}"})
                time = left + self.random.choice([0, 0, 20]) * DAY
        taken = set()
        while len(self.commitments) < count:
            time, hotkey = START + self.random.randrange(500) * DAY, self.random.choice(self.hotkeys)
            if self.random.random() < 0.1:
                time = self.random.choice([r["left_at"] or time for r in self.registrations])
            if (time, hotkey) not in taken:
                taken.add((time, hotkey))
                self.commitments.append(self.commitment(time, hotkey))

    def signed(self, tag, signer, line, name=None):
        signature = ethereum.sign(self.keys[signer], line)
        self.signers[line, signature] = self.addresses[signer]
        if self.random.random() < 0.2:  # the recovery id alone
            signature = signature[:64] + bytes([signature[64] - 27])
            self.signers[line, signature] = self.addresses[signer]
        if self.random.random() < 0.03:
            signature = signature[:64] + b"\x1d"
        return tag + bytes.fromhex(self.addresses[signer if name is None else name][2:]) + signature

    def commitment(self, time, hotkey):
        r = self.random
        netuid = 42 if r.random() < 0.95 else 7
        new = r.randrange(len(self.keys)) if r.random() < 0.6 else self.hotkeys.index(hotkey)
        line = line_of(netuid, hotkey if r.random() < 0.96 else self.hotkeys[0], self.addresses[new])
        fields = [self.signed(b"K1", new, line, r.randrange(5) if r.random() < 0.04 else None)]
        if r.random() < 0.6:
            fields.append(self.signed(b"P1", r.randrange(len(self.keys)), line))
        if r.random() < 0.4:
            port, host = r.choice([0, 1, 255, 256, 8443, 65535, 65535]), r.choice([b"h", b"agent.example.org", b"x" * 51, b"x" * 52, b"", b"\xff\xfe", "ä".encode()])
            fields.append(b"A1" + hashlib.sha256(b"%d" % time).digest() + port.to_bytes(2, "big") + host)
        texts = [base64.b64encode(field).decode() for field in fields]
        fault = r.random()
        at = r.randrange(len(texts))
        if fault < 0.02:
            texts.append(texts[at])
        elif fault < 0.04:
            texts[at] = texts[at][:-1]
        elif fault < 0.06:
            texts[at] = texts[at][:20] + "-" + texts[at][21:]
        elif fault < 0.07:
            texts[at] = base64.b64encode(b"k1" + fields[at][2:]).decode()
        elif fault < 0.08:
            texts = texts[1:]
        elif fault < 0.09:
            texts[at] = base64.b64encode(fields[at] + b"\0").decode()
        elif fault < 0.10:
            texts[0] += " "
        r.shuffle(texts)
        return {"time": time, "netuid": netuid, "hotkey": hotkey, "fields": " ".join(texts)}

    def write(self, folder):
        os.makedirs(folder, exist_ok=True)
        for name, rows in (("commitment", self.commitments), ("registration", self.registrations)):
            with open(os.path.join(folder, name + ".csv"), "w", newline="", encoding="utf-8") as file:
                writer = csv.DictWriter(file, rows[0], lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
