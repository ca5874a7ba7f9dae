import type { SenderPolicy, SenderQuestion } from '../../emails/ports/sender-policy.js';
import { brokenOf, firstComplaint } from './contracts.spec-tools.js';
import { senderPolicyContract } from './sender-policy.contract.js';

const KNOWN = {
  allowed: [{ accountId: 'one', from: 'a@good.test' }],
  refused: [{ accountId: 'one', from: 'a@bad.test', apiKeyId: 'key', domainId: 'domain' }],
};
const refused = { allowed: false, code: 'domain_not_verified', message: 'Verify bad.test.' };
const verdict = ({ from }: SenderQuestion, refusal: object = refused) =>
  (from === 'a@good.test' ? { allowed: true } : refusal) as never;
const casesOf = (decide: unknown) => senderPolicyContract(() => ({ decide }) as SenderPolicy, KNOWN);

describe('senderPolicyContract', () => {
  it('is kept by a correct policy, synchronous or not', async () => {
    expect(await brokenOf(casesOf(verdict))).toEqual({});
    expect(await brokenOf(casesOf(async (question: SenderQuestion) => verdict(question)))).toEqual({});
    const detailed = { ...refused, status: 422, name: 'validation_error' };
    expect(await brokenOf(casesOf((question: SenderQuestion) => verdict(question, detailed)))).toEqual({});
  });

  it.each<[string, unknown, RegExp]>([
    ['answers nothing', () => undefined, /must be \{allowed: true\}/],
    ['says yes and no', ({ from }: SenderQuestion) => from === 'a@good.test', /must be \{allowed: true\}/],
    ['allows all', () => ({ allowed: true }), /a@bad\.test must be refused/],
    ['refuses all', () => refused, /a@good\.test must be allowed/],
    [
      'gives no message',
      (one: SenderQuestion) => verdict(one, { allowed: false, code: 'x' }),
      /must be \{allowed: true\}/,
    ],
    ['gives an empty message', (one: SenderQuestion) => verdict(one, { ...refused, message: '' }), /1 to 500/],
    ['uses a sentence as a code', (one: SenderQuestion) => verdict(one, { ...refused, code: 'Not ours.' }), /1 to 50/],
    ['gives another status', (one: SenderQuestion) => verdict(one, { ...refused, status: 500 }), /403 or 422/],
    ['uses an unknown name', (one: SenderQuestion) => verdict(one, { ...refused, name: 'no' }), /must be one of/],
    ['fails', () => Promise.reject(new Error('no database')), /no database/],
    ['modifies the question', (one: SenderQuestion) => verdict(Object.assign(one, { from: 'x' })), /read only/],
  ])('is broken by one that %s', async (_, decide, complaint) => {
    expect(await firstComplaint(casesOf(decide))).toMatch(complaint);
  });

  it('is broken by one that changes its mind', async () => {
    let asked = 0;
    const fickle = (question: SenderQuestion) => (asked++ < 2 ? verdict(question) : { allowed: true });
    expect(Object.keys(await brokenOf(casesOf(fickle)))).toContain('decides the same at delivery as at acceptance');
  });
});
