import assert from 'node:assert/strict';
import { REASON_CODE } from '../../emails/states/reason-codes.js';
import { MAX_REASON, storableText } from '../../shared/text/storable-text.js';
import type { ContractCase } from './contract-case.js';

/** Addresses with a known decision. */
export interface KnownAddresses {
  allowed: readonly string[];
  refused: readonly string[];
}

/** True if a recipient may get the email, and why not. */
type Decision = { allowed: true } | { allowed: false; code?: string; reason?: string };

/** Required part of a refusal: the reason of the topic policy, the code of a recipient policy. */
export type Why = 'reason' | 'code';

/** Answers one question about these addresses; every answer is checked. */
export type Decide = (addresses: readonly string[]) => Promise<unknown>;

/** The most recipients that one email can have: 50 each in `to`, `cc` and `bcc`. */
const CROWD = Array.from({ length: 150 }, (_, index) => `recipient-${index}@contract.example`);

/** Valid addresses of unusual forms. */
const UNUSUAL = [
  "o'brien@contract.example",
  '100%_of+them@contract.example',
  '"John Doe"@contract.example',
  'jörg@xn--bcher-kva.example',
  `${'l'.repeat(64)}@${'d'.repeat(60)}.${'d'.repeat(60)}.${'d'.repeat(56)}.example`,
];

/** Checks that every answer about recipients must pass. */
export function decisionCases(
  make: () => Promise<Decide>,
  { allowed, refused }: KnownAddresses,
  why: Why,
): ContractCase[] {
  const known = mixed(allowed, refused);
  const verdicts = new Map([
    ...allowed.map((address) => [address, true] as const),
    ...refused.map((address) => [address, false] as const),
  ]);
  const asked = async (decide: Decide, addresses: readonly string[]) => {
    const decisions = await decisionsOf(decide, addresses, why);
    for (const [index, address] of addresses.entries()) {
      const verdict = verdicts.get(address) ?? decisions[index]?.allowed;
      assert.equal(decisions[index]?.allowed, verdict, `${address} must be ${verdict ? 'allowed' : 'refused'}.`);
    }
  };
  return [
    {
      name: 'decides for each address, in the order given',
      run: async () => {
        const decide = await make();
        const inOrder = [...allowed, ...refused];
        for (const addresses of [known, inOrder, inOrder.toReversed()]) await asked(decide, addresses);
      },
    },
    {
      name: 'decides the same for an address alone',
      run: async () => {
        const decide = await make();
        for (const address of known) await asked(decide, [address]);
      },
    },
    {
      name: `decides for all ${CROWD.length} recipients of an email at once`,
      run: async () => asked(await make(), mixed(known, CROWD).slice(0, CROWD.length)),
    },
    {
      name: 'decides for every valid address',
      run: async () => asked(await make(), mixed(known, UNUSUAL)),
    },
    {
      name: 'answers many questions at the same time, independently',
      run: async () => {
        const decide = await make();
        const questions = CROWD.slice(0, 20).map((_, index) => mixed(known, CROWD.slice(0, index)));
        await Promise.all(questions.map((addresses) => asked(decide, addresses)));
      },
    },
  ];
}

/** Checks that there is one well-formed decision for each address. The addresses are frozen, as at delivery. */
export async function decisionsOf(decide: Decide, addresses: readonly string[], why: Why): Promise<Decision[]> {
  const answer = await decide(Object.freeze([...addresses]));
  assert.ok(Array.isArray(answer), `The answer must be an array, not ${typeof answer}.`);
  const asked = `${addresses.length} addresses were asked about, and the answer has ${answer.length} decisions.`;
  assert.equal(answer.length, addresses.length, asked);
  return addresses.map((address, index) => checked(answer[index], address, why));
}

function checked(decision: Partial<Decision> | null | undefined, address: string, why: Why): Decision {
  if (decision?.allowed === true) return { allowed: true };
  const wrong = `The decision for ${address} must be {allowed: true} or {allowed: false, ${why}}.`;
  if (decision?.allowed !== false) assert.fail(wrong);
  const { code, reason } = decision as { code?: unknown; reason?: unknown };
  if (typeof { code, reason }[why] !== 'string') assert.fail(wrong);
  if (why === 'code') {
    assert.match(String(code), REASON_CODE, `The code for ${address} must have 1 to 50 characters of a-z, 0-9 and _.`);
    if (reason === undefined) return { allowed: false, code: String(code) };
  }
  const isKept = typeof reason === 'string' && reason !== '' && storableText(reason, MAX_REASON) === reason;
  assert.ok(isKept, `The reason for ${address} must be text of 1 to ${MAX_REASON} characters without NUL.`);
  return { allowed: false, ...(why === 'code' && { code: String(code) }), reason };
}

/** Alternates between the lists; each address once. */
function mixed(some: readonly string[], others: readonly string[]): string[] {
  const turns = Array.from({ length: Math.max(some.length, others.length) }, (_, index) => [
    some[index],
    others[index],
  ]);
  return [...new Set(turns.flat())].filter((address) => address !== undefined);
}
