import type { NodemailerError } from 'nodemailer';
import { acceptedOutcomes, failedOutcomes } from './smtp-outcomes.js';

const TO = ['a@to.test', 'b@to.test'];

/** What nodemailer's connection says: a reply of the server, or what happened instead of one. */
function failure(code: string, { response, ...more }: Partial<NodemailerError> = {}): NodemailerError {
  const responseCode = Number(response?.match(/^\d+/)?.[0]);
  return Object.assign(new Error('as told'), {
    code,
    ...more,
    ...(response && { response }),
    ...(responseCode && { responseCode }),
  });
}

const refusal = (recipient: string, response: string) =>
  failure('EENVELOPE', { recipient, response, command: 'RCPT TO' });

describe('a message that failed as a whole', () => {
  it.each<[string, NodemailerError, { complete: boolean }, string, string]>([
    [
      '5xx at MAIL',
      failure('EENVELOPE', { response: '550 no', command: 'MAIL FROM' }),
      { complete: false },
      'refused',
      'rejected',
    ],
    [
      '4xx at MAIL',
      failure('EENVELOPE', { response: '451 later', command: 'MAIL FROM' }),
      { complete: false },
      'refused',
      'deferred',
    ],
    [
      '421 at MAIL',
      failure('EENVELOPE', { response: '421 bye', command: 'MAIL FROM' }),
      { complete: false },
      'not_sent',
      'deferred',
    ],
    [
      '5xx at DATA',
      failure('EENVELOPE', { response: '554 no', command: 'DATA' }),
      { complete: false },
      'refused',
      'rejected',
    ],
    [
      '421 at DATA',
      failure('EENVELOPE', { response: '421 bye', command: 'DATA' }),
      { complete: false },
      'refused',
      'deferred',
    ],
    [
      '5xx after the dot',
      failure('EMESSAGE', { response: '554 spam', command: 'DATA' }),
      { complete: true },
      'refused',
      'rejected',
    ],
    [
      '4xx after the dot',
      failure('EMESSAGE', { response: '452 full', command: 'DATA' }),
      { complete: true },
      'refused',
      'deferred',
    ],
    [
      'nonsense at MAIL',
      failure('EENVELOPE', { response: 'huh', command: 'MAIL FROM' }),
      { complete: false },
      'not_sent',
      'deferred',
    ],
    [
      'nonsense after the dot',
      failure('EMESSAGE', { response: 'huh', command: 'DATA' }),
      { complete: true },
      'maybe_sent',
      'unknown',
    ],
    ['loss before the dot', failure('ECONNECTION'), { complete: false }, 'not_sent', 'deferred'],
    ['loss after the dot', failure('ECONNECTION'), { complete: true }, 'maybe_sent', 'unknown'],
    ['silence before the dot', failure('ETIMEDOUT'), { complete: false }, 'not_sent', 'deferred'],
    ['silence after the dot', failure('ETIMEDOUT'), { complete: true }, 'maybe_sent', 'unknown'],
    ['a message that cannot be read', failure('ESTREAM'), { complete: false }, 'not_sent', 'deferred'],
    ['a message over the size limit', failure('EMESSAGE'), { complete: false }, 'refused', 'rejected'],
    [
      'an address no command can hold',
      failure('EENVELOPE', { command: 'API' }),
      { complete: false },
      'refused',
      'rejected',
    ],
  ])('%s', (_, error, { complete }, kind, outcome) => {
    const result = failedOutcomes(TO, error, [], complete);
    expect(result.kind).toBe(kind);
    expect(result.outcomes.map((one) => [one.address, one.outcome])).toEqual(TO.map((address) => [address, outcome]));
  });

  it('leaves recipients that were refused before as they are', () => {
    const lost = failedOutcomes(TO, failure('ECONNECTION'), [refusal('b@to.test', '550 nobody')], true);
    expect(lost.outcomes).toEqual([
      { address: 'b@to.test', outcome: 'rejected', reply: { code: 550, text: '550 nobody' } },
      { address: 'a@to.test', outcome: 'unknown', reply: { text: 'as told', error: 'ECONNECTION' } },
    ]);
  });

  it('is no failure of the connection when every recipient was refused', () => {
    const refusals = [refusal('a@to.test', '550 nobody'), refusal('b@to.test', '450 greylisted')];
    const refused = failedOutcomes(TO, failure('EENVELOPE', { response: '450 greylisted' }), refusals, false);
    expect(refused.kind).toBe('recipients_refused');
    expect(refused.outcomes.map(({ outcome }) => outcome)).toEqual(['rejected', 'deferred']);
  });

  it('keeps 500 characters of what the server said', () => {
    const response = `550 ${'x'.repeat(5_000)}`;
    const [outcome] = failedOutcomes(['a@to.test'], failure('EENVELOPE', { response }), [], false).outcomes;
    expect(outcome?.reply.text).toHaveLength(500);
  });
});

it('a message that was taken for some tells of all', () => {
  const info = { accepted: ['a@to.test'], rejected: ['b@to.test'], response: '250 taken' };
  expect(acceptedOutcomes(info as Parameters<typeof acceptedOutcomes>[0], [refusal('b@to.test', '451 later')])).toEqual(
    [
      { address: 'a@to.test', outcome: 'accepted', reply: { code: 250, text: '250 taken' } },
      { address: 'b@to.test', outcome: 'deferred', reply: { code: 451, text: '451 later' } },
    ],
  );
});
