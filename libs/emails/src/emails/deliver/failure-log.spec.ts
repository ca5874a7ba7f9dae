import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { RecipientOutcome, SmtpReply } from '../ports/email-transport.js';
import { FailureLog } from './failure-log.js';

describe('FailureLog', () => {
  let lines: string[];
  let now: number;
  const failed = jest.fn();

  beforeEach(() => {
    lines = [];
    now = 0;
    failed.mockClear();
    for (const level of ['warn', 'log'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((line: unknown) => void lines.push(`${level}: ${line}`));
    }
  });

  afterEach(() => jest.restoreAllMocks());

  const open = () => new FailureLog('mx.test:25', { failed }, () => now);
  const outcomesOf = (outcome: RecipientOutcome['outcome'], reply: SmtpReply, address = 'canary@to.test') => [
    { address, outcome, reply },
  ];
  const OK = outcomesOf('accepted', { code: 250, text: '250 ok' });

  it.each<[string, SmtpReply, string]>([
    [
      'the code and the status of a reply',
      { code: 451, text: '451 4.7.1 canary' },
      'accepted by mx.test:25: 451 4.7.1.',
    ],
    ['those of a multi-line reply', { code: 550, text: '550-5.1.1 canary' }, 'accepted by mx.test:25: 550 5.1.1.'],
    ['a status without its code before it', { code: 554, text: '5.7.1 canary' }, 'accepted by mx.test:25: 554 5.7.1.'],
    ['a code alone', { code: 550, text: '550 5.1.1canary' }, 'accepted by mx.test:25: 550.'],
    ['the kind of an error', { text: 'connect canary', error: 'ECONNREFUSED' }, 'given to mx.test:25: ECONNREFUSED.'],
    ['that there was no reply', { text: 'canary' }, 'given to mx.test:25: no reply.'],
  ])('says %s, and nothing else', (_, reply, line) => {
    open().attempted('e', outcomesOf('deferred', reply));
    expect(lines).toEqual([expect.stringContaining(line)]);
    expect(lines.join()).not.toContain('canary');
  });

  it('logs a reason once in five minutes, with the number of repetitions', () => {
    const log = open();
    const BOUNCE = { code: 550, text: '550 no' };
    for (let n = 0; n < 4; n++) log.attempted('e', outcomesOf('rejected', BOUNCE));
    log.attempted('e', outcomesOf('deferred', { code: 451, text: '451 later' }));
    expect(lines).toHaveLength(2);
    now = 300_000;
    log.attempted('e', outcomesOf('rejected', BOUNCE));
    expect(lines.at(-1)).toBe(
      'warn: An email was not accepted by mx.test:25: 550 (and 3 times since the last warning).',
    );
    expect(failed).toHaveBeenCalledTimes(6);
  });

  it('logs once that a next hop accepts mail again, and within a minute that it is away again', () => {
    const log = open();
    const AWAY = outcomesOf('deferred', { text: '', error: 'ETIMEDOUT' });
    const outage = [
      expect.stringMatching(/^warn: An email could not be given to mx.test:25: ETIMEDOUT/),
      'log: mx.test:25 accepts mail again.',
    ];
    log.attempted('e', OK);
    for (let n = 0; n < 3; n++) for (const outcomes of [AWAY, OK, OK]) log.attempted('e', outcomes);
    expect(lines).toEqual(outage);
    now = 60_000;
    for (const outcomes of [AWAY, AWAY, OK]) log.attempted('e', outcomes);
    expect(lines).toEqual([...outage, ...outage]);
  });

  it('logs within a minute that a next hop is away again, even when no email notices', () => {
    const log = open();
    const AWAY: SmtpReply = { text: 'canary', error: 'ECONNREFUSED' };
    log.unreached('e', AWAY);
    for (let n = 0; n < 3; n++) log.isAway(AWAY);
    log.reached();
    expect(lines).toHaveLength(2);
    now = 10_000;
    log.unreached('e', AWAY);
    log.isAway(AWAY);
    expect(lines).toHaveLength(2);
    now = 60_000;
    for (let n = 0; n < 3; n++) log.isAway(AWAY);
    expect(lines.slice(2)).toEqual([
      'warn: An email could not be given to mx.test:25: ECONNREFUSED (and 1 times since the last warning).',
    ]);
    now = 600_000;
    log.isAway(AWAY);
    expect(lines).toHaveLength(3);
    expect(failed).toHaveBeenCalledTimes(2);
  });

  it('logs no recovery when the next hop was never away', () => {
    const log = open();
    log.attempted('e', outcomesOf('rejected', { code: 550, text: '550 5.1.1' }));
    log.failed({ emailId: 'e', kind: 'policy', reason: 'Error' });
    log.attempted('e', OK);
    expect(lines).toEqual([expect.stringMatching(/^warn/), expect.stringMatching(/^warn/)]);
  });

  it('logs no outage when the transport itself refuses a message', () => {
    const log = open();
    const reply: SmtpReply = { text: 'canary', error: 'NO_TLS', reasonCode: 'tls_missing' };
    for (now = 0; now < 300_000; now += 60_000)
      for (const outcomes of [outcomesOf('deferred', reply), OK]) log.attempted('e', outcomes);
    expect(lines).toEqual(['warn: An email could not be given to mx.test:25: NO_TLS.']);
    expect(failed).toHaveBeenCalledTimes(5);
  });

  it('reports each reason of an attempt to observers', () => {
    const reply = { code: 550, text: '550 5.1.1 canary' };
    open().attempted('e', [
      ...OK,
      ...outcomesOf('rejected', reply),
      ...outcomesOf('rejected', reply),
      ...outcomesOf('unknown', { text: '' }),
    ]);
    expect(failed.mock.calls).toEqual([
      [{ emailId: 'e', kind: 'reply', reason: '550 5.1.1' }],
      [{ emailId: 'e', kind: 'network', reason: 'no reply' }],
    ]);
  });

  it('logs a limited number of reasons, until their time is over', () => {
    const log = open();
    for (let code = 400; code < 600; code++) log.attempted('e', outcomesOf('rejected', { code, text: '' }));
    expect(lines).toHaveLength(100);
    now = 300_000;
    log.attempted('e', outcomesOf('rejected', { code: 599, text: '' }));
    expect(lines).toHaveLength(101);
    expect(failed).toHaveBeenCalledTimes(201);
  });
});
