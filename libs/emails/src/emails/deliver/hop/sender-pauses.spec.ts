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

  it('pauses no mail of others again by the same accounts, however long theirs is refused', () => {
    const { clock, meet, accept, left } = pausesAt();
    meet('a');
    meet('b');
    clock.now = 2_000;
    for (let round = 0; round < 20; round++) {
      meet('a');
      meet('b');
      expect(left()[2]).toBe(0);
      if (round === 10) accept('c');
      clock.now += Math.max(...left());
    }
  });

  it('goes on while further accounts meet one after each pause, for at most a minute, until a message is accepted', () => {
    const { clock, meet, accept, left } = pausesAt();
    meet('a');
    const pauses = Array.from({ length: 8 }, (_, n) => {
      meet(`other${n}`);
      const [, , pause = 0] = left();
      clock.now += pause;
      return pause;
    });
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    accept('c');
    meet('other8');
    meet('other0');
    expect(left()[2]).toBe(0);
    meet('other9');
    expect(left()[2]).toBe(2_000);
  });

  it('delays others by seconds while two accounts are at limits of their own for hours', () => {
    const { clock, meet, accept, left } = pausesAt();
    const due = [0, 0, 0];
    const waits: number[] = [];
    let since = 0;
    while (clock.now < 6 * 3_600_000) {
      const at = due.indexOf(Math.min(...due));
      clock.now = due[at] as number;
      const wait = left()[at] as number;
      due[at] = clock.now + wait;
      if (wait > 0) continue;
      if (at < 2) meet(at === 0 ? 'a' : 'b');
      else {
        accept('c');
        waits.push(clock.now - since);
        since = clock.now + 400_000;
        due[at] = since;
      }
    }
    expect(waits.length).toBeGreaterThan(50);
    expect(Math.max(...waits)).toBeLessThanOrEqual(2_000);
  });
});
