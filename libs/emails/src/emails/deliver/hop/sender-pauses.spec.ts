import type { RecipientOutcome } from '../../ports/email-transport.js';
import { SenderPauses } from './sender-pauses.js';

const TO = 'a@to.test';
const OK: RecipientOutcome = { address: TO, outcome: 'accepted', reply: { code: 250, text: '250 ok' } };

const emailOf = (accountId: string, subject = 'Hello') => ({
  ...{ accountId, from: 'a@from.test', to: [TO], cc: [], replyTo: [], subject, headers: [], attachments: [] },
  recipients: [{ address: TO, status: 'pending' as const }],
});

function pausesAt() {
  const clock = { now: 0 };
  const pauses = new SenderPauses(() => clock.now);
  const meet = (accountId: string, { retryAfter = 0, subject = 'Hello' } = {}) => {
    const reply = { code: 454, text: '454 Throttling failure: Maximum sending rate exceeded', stage: 'dot' as const };
    pauses.attempted(emailOf(accountId, subject), [{ address: TO, outcome: 'deferred', reply, retryAfter }]);
  };
  const accept = (accountId: string) => pauses.attempted(emailOf(accountId), [OK]);
  const left = () => ['a', 'b', 'c'].map((accountId) => pauses.left(accountId));
  return { clock, meet, accept, left };
}

describe('SenderPauses', () => {
  it('pauses the mail of the account that met a limit, however often and for whatever wait', () => {
    const { clock, meet, left } = pausesAt();
    meet('a', { retryAfter: 900_000 });
    expect(left()).toEqual([900_000, 0, 0]);
    clock.now = 900_000;
    meet('a');
    clock.now += 4_000;
    meet('a');
    expect(left()).toEqual([8_000, 0, 0]);
  });

  it('pauses all mail once a second account met one within a minute, for no longer than its own pauses', () => {
    const { clock, meet, left } = pausesAt();
    meet('a');
    clock.now = 60_000;
    meet('b', { retryAfter: 900_000 });
    expect(left()).toEqual([2_000, 900_000, 2_000]);
  });

  it('pauses no mail of others after a minute, or where a message was accepted in between', () => {
    const { clock, meet, accept, left } = pausesAt();
    meet('a');
    clock.now = 60_001;
    meet('b');
    accept('c');
    meet('a');
    expect(left()).toEqual([4_000, 2_000, 0]);
  });

  it('pauses no mail of others by words of an email', () => {
    const { meet, left } = pausesAt();
    meet('a', { subject: 'Throttling failure: maximum sending rate' });
    meet('b', { subject: 'Throttling failure: maximum sending rate' });
    meet('c');
    expect(left()).toEqual([2_000, 2_000, 2_000]);
    meet('a', { subject: 'Throttling failure: maximum sending rate' });
    expect(left()).toEqual([2_000, 2_000, 2_000]);
  });

  it('begins again with the shortest pause after an accepted message', () => {
    const { clock, meet, accept, left } = pausesAt();
    meet('a');
    clock.now = 2_000;
    accept('a');
    meet('a');
    expect(left()).toEqual([2_000, 0, 0]);
  });
});
