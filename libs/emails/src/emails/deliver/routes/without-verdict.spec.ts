import type { RecipientOutcome, SmtpReply } from '../../ports/email-transport.js';
import { isContentDeferred, isRecipientDeferred, isWithoutVerdict } from './without-verdict.js';

const one = (outcome: RecipientOutcome['outcome'], reply: SmtpReply): RecipientOutcome => ({
  address: 'a@to.test',
  outcome,
  reply,
});
const QUOTA = '5.4.5 Daily user sending limit exceeded';

describe('isWithoutVerdict', () => {
  it.each<[string, RecipientOutcome, boolean]>([
    ['no connection', one('deferred', { text: 'ECONNREFUSED', error: 'ECONNREFUSED' }), true],
    ['no reply up to the content', one('deferred', { text: 'closed', error: 'ECLOSED' }), true],
    ['421 as greeting', one('deferred', { code: 421, text: '421 busy', stage: 'connect' }), true],
    ['a refused login', one('deferred', { code: 535, text: '535 no', stage: 'helo' }), true],
    ['4yz to MAIL', one('deferred', { code: 451, text: '451 later', stage: 'mail' }), true],
    ['no TLS', one('deferred', { text: 'no TLS', reasonCode: 'tls_missing' }), true],
    ['no TLS where it is enforced', one('rejected', { text: 'no TLS', reasonCode: 'tls_missing' }), true],
    ['a limit of the sender at RCPT', one('rejected', { code: 550, text: `550 ${QUOTA}`, stage: 'rcpt' }), true],
    ['a limit of the sender at the end', one('deferred', { code: 450, text: `450 ${QUOTA}`, stage: 'dot' }), false],
    ['4yz to RCPT', one('deferred', { code: 451, text: '451 greylisted', stage: 'rcpt' }), false],
    ['4yz of an unknown stage', one('deferred', { code: 451, text: '451 later' }), false],
    ['4yz to DATA', one('deferred', { code: 451, text: '451 later', stage: 'data' }), false],
    ['5yz to MAIL', one('rejected', { code: 550, text: '550 no', stage: 'mail' }), false],
    ['an unknown end', one('unknown', { text: 'closed', error: 'ECLOSED' }), false],
    ['an accepted message', one('accepted', { code: 250, text: '250 ok' }), false],
    ['a message that is too large', one('rejected', { text: 'SIZE', reasonCode: 'message_too_large' }), false],
  ])('%s: %#', (_, outcome, expected) => {
    expect(isWithoutVerdict([outcome])).toBe(expected);
  });

  it('needs it of each recipient, and of one at least', () => {
    const away = one('deferred', { text: 'ECONNREFUSED' });
    expect(isWithoutVerdict([away, one('deferred', { code: 451, text: '451', stage: 'rcpt' })])).toBe(false);
    expect(isWithoutVerdict([away, one('accepted', { code: 250, text: '250' })])).toBe(false);
    expect(isWithoutVerdict([])).toBe(false);
  });
});

describe('after a refusal for a time', () => {
  const at = (stage: SmtpReply['stage']) => [
    one('deferred', { code: 451, text: '451 later', ...(stage && { stage }) }),
  ];

  it('a recipient stays with its transport, and so does one of a transport that names no stage', () => {
    expect([at('rcpt'), at(undefined), at('data')].map(isRecipientDeferred)).toEqual([true, true, false]);
    expect(isRecipientDeferred([one('deferred', { text: 'closed' })])).toBe(false);
  });

  it('content may go to another one', () => {
    expect([at('data'), at('dot'), at('rcpt'), at('mail')].map(isContentDeferred)).toEqual([true, true, false, false]);
    expect(isContentDeferred([one('rejected', { code: 550, text: '550', stage: 'dot' })])).toBe(false);
  });
});
