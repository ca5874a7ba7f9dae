import assert from 'node:assert/strict';
import type { SenderDecision, SenderPolicy, SenderQuestion } from '../../emails/ports/sender-policy.js';
import { REASON_CODE } from '../../emails/states/reason-codes.js';
import { API_ERROR_NAMES } from '../../shared/errors/api-errors.js';
import { storableText } from '../../shared/text/storable-text.js';
import type { ContractCase, Make } from './contract-case.js';

const MAX_MESSAGE = 500;
const TIMES = 20;

/** Questions with a known decision. At least one in all. */
export interface SenderPolicyExamples {
  allowed: readonly SenderQuestion[];
  refused: readonly SenderQuestion[];
}

/** Checks the promises that `EmailsModule` relies on when it asks a sender policy. */
export function senderPolicyContract(
  make: Make<SenderPolicy>,
  { allowed, refused }: SenderPolicyExamples,
): ContractCase[] {
  const known = [...allowed.map((one) => [one, true] as const), ...refused.map((one) => [one, false] as const)];
  const check = async (policy: SenderPolicy, question: SenderQuestion, verdict: boolean) => {
    const { allowed: is } = checked(await policy.decide(Object.freeze({ ...question })), question);
    assert.equal(is, verdict, `${question.from} must be ${verdict ? 'allowed' : 'refused'}.`);
  };
  return [
    {
      name: 'decides the known questions as expected',
      run: async () => {
        const policy = await make();
        for (const [question, verdict] of known) await check(policy, question, verdict);
      },
    },
    {
      name: 'decides the same at delivery as at acceptance',
      run: async () => {
        const policy = await make();
        for (const [question, verdict] of [...known, ...known.toReversed()]) await check(policy, question, verdict);
      },
    },
    {
      name: 'answers many questions at the same time, independently',
      run: async () => {
        const policy = await make();
        const questions = Array.from({ length: TIMES }, () => known).flat();
        await Promise.all(questions.map(([question, verdict]) => check(policy, question, verdict)));
      },
    },
  ];
}

function checked(decision: SenderDecision | null | undefined, { from }: SenderQuestion): SenderDecision {
  if (decision?.allowed === true) return decision;
  const wrong = `The decision for ${from} must be {allowed: true} or {allowed: false, code, message}.`;
  if (decision?.allowed !== false) assert.fail(wrong);
  const { code, message, status, name } = decision;
  assert.ok(typeof code === 'string' && typeof message === 'string', wrong);
  assert.match(code, REASON_CODE, `The code for ${from} must have 1 to 50 characters of a-z, 0-9 and _.`);
  const isShown = message !== '' && storableText(message, MAX_MESSAGE) === message;
  assert.ok(isShown, `The message for ${from} must be text of 1 to ${MAX_MESSAGE} characters without NUL.`);
  assert.ok(status === undefined || status === 403 || status === 422, `The status for ${from} must be 403 or 422.`);
  const isKnown = name === undefined || API_ERROR_NAMES.includes(name);
  assert.ok(isKnown, `The name for ${from} must be one of ${API_ERROR_NAMES.join(', ')}.`);
  return decision;
}
