import type { RecipientOutcome } from '../../ports/email-transport.js';
import { SenderPause } from './sender-pause.js';

const outcome = (kind: RecipientOutcome['outcome'], text: string): RecipientOutcome => ({
  address: 'a@to.test',
  outcome: kind,
  reply: { code: Number(text.slice(0, 3)), text },
});
const LIMIT = outcome('deferred', '454 Throttling failure: Maximum sending rate exceeded');
const OK = outcome('accepted', '250 ok');

function pauseAt() {
  const clock = { now: 0 };
  return { clock, pause: new SenderPause(() => clock.now) };
}

describe('SenderPause', () => {
  it('doubles after each pause up to 15 minutes, and begins again after an accepted message', () => {
    const { clock, pause } = pauseAt();
    const lengths = Array.from({ length: 11 }, () => {
      pause.attempted([LIMIT]);
      const { left } = pause;
      clock.now += left;
      return left;
    });
    expect(lengths.slice(0, 3)).toEqual([2_000, 4_000, 8_000]);
    expect(lengths.at(-1)).toBe(900_000);
    expect(pause.left).toBe(0);
    pause.attempted([OK]);
    pause.attempted([LIMIT]);
    expect(pause.left).toBe(2_000);
  });

  it('is not extended by messages that were under way', () => {
    const { clock, pause } = pauseAt();
    pause.attempted([LIMIT]);
    clock.now = 500;
    pause.attempted([LIMIT]);
    pause.attempted([OK]);
    expect(pause.left).toBe(1_500);
  });

  it('lasts as long as the next hop asks, up to 15 minutes', () => {
    const { pause } = pauseAt();
    pause.attempted([{ ...LIMIT, retryAfter: 60_000 }]);
    expect(pause.left).toBe(60_000);
    const other = pauseAt().pause;
    other.attempted([{ ...LIMIT, retryAfter: 1e9 }]);
    expect(other.left).toBe(900_000);
  });

  describe('at refusals of recipients', () => {
    const at = (address: string, kind: RecipientOutcome['outcome'] = 'deferred'): RecipientOutcome => ({
      address,
      outcome: kind,
      reply: { code: 450, text: '450-Response: 450 4.2.0 daily sending quota exceeded', stage: 'rcpt' },
    });
    const accepted = { ...OK, address: 'c@other.test' };

    it('does not begin for one domain, however often, nor for names below it', () => {
      const { pause } = pauseAt();
      pause.attempted([at('a@evil.test'), at('b@evil.test', 'rejected')]);
      pause.attempted([at('a@mx.evil.test')]);
      expect(pause.left).toBe(0);
    });

    it('begins for two domains within a minute, in one attempt or in two', () => {
      const { clock, pause } = pauseAt();
      pause.attempted([at('a@evil.test')]);
      clock.now = 60_000;
      pause.attempted([at('a@to.test')]);
      expect(pause.left).toBe(2_000);
      const other = pauseAt().pause;
      other.attempted([at('a@evil.test'), at('a@to.test'), at('a@evil.test')]);
      expect(other.left).toBe(2_000);
    });

    it('does not begin later than that', () => {
      const { clock, pause } = pauseAt();
      pause.attempted([at('a@evil.test')]);
      clock.now = 60_001;
      pause.attempted([at('a@to.test')]);
      expect(pause.left).toBe(0);
    });

    it('does not begin where a recipient was accepted in between', () => {
      const { pause } = pauseAt();
      pause.attempted([at('a@evil.test')]);
      pause.attempted([accepted]);
      pause.attempted([at('a@to.test')]);
      pause.attempted([at('a@evil.test'), accepted, at('a@third.test')]);
      pause.attempted([at('a@evil.test')]);
      expect(pause.left).toBe(0);
    });

    it('begins at once at every other stage', () => {
      for (const stage of ['connect', 'mail', 'data', 'dot'] as const) {
        const { pause } = pauseAt();
        pause.attempted([{ ...LIMIT, reply: { ...LIMIT.reply, stage } }, accepted]);
        expect(pause.left).toBe(2_000);
      }
    });
  });

  it.each(['550 5.1.1 nobody', '452 4.2.2 over quota', '421 4.7.0 too many connections'])('ignores %s', (text) => {
    const { pause } = pauseAt();
    pause.attempted([outcome('deferred', text)]);
    expect(pause.left).toBe(0);
  });
});
