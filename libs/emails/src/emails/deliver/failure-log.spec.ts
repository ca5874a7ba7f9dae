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
  const told = (outcome: RecipientOutcome['outcome'], reply: SmtpReply, address = 'canary@to.test') => [
    { address, outcome, reply },
  ];
  const OK = told('accepted', { code: 250, text: '250 ok' });

  it.each<[string, SmtpReply, string]>([
    ['the code and the status of a reply', { code: 451, text: '451 4.7.1 canary' }, 'taken by mx.test:25: 451 4.7.1.'],
    ['those of a line of several', { code: 550, text: '550-5.1.1 canary' }, 'taken by mx.test:25: 550 5.1.1.'],
    ['a status without its code before it', { code: 554, text: '5.7.1 canary' }, 'taken by mx.test:25: 554 5.7.1.'],
    ['a code alone', { code: 550, text: '550 5.1.1canary' }, 'taken by mx.test:25: 550.'],
    ['the kind of an error', { text: 'connect canary', error: 'ECONNREFUSED' }, 'given to mx.test:25: ECONNREFUSED.'],
    ['that there was nothing', { text: 'canary' }, 'given to mx.test:25: no reply.'],
  ])('says %s, and nothing else', (_, reply, line) => {
    open().attempted('e', told('deferred', reply));
    expect(lines).toEqual([expect.stringContaining(line)]);
    expect(lines.join()).not.toContain('canary');
  });

  it('says a reason once in five minutes, with how often there was more of it', () => {
    const log = open();
    for (let n = 0; n < 4; n++) log.attempted('e', told('deferred', { text: '', error: 'ETIMEDOUT' }));
    log.attempted('e', told('rejected', { code: 550, text: '550 no' }));
    expect(lines).toHaveLength(2);
    now = 300_000;
    log.attempted('e', told('deferred', { text: '', error: 'ETIMEDOUT' }));
    expect(lines.at(-1)).toBe(
      'warn: An email could not be given to mx.test:25: ETIMEDOUT (and 3 times since the last warning).',
    );
    expect(failed).toHaveBeenCalledTimes(6);
  });

  it('says once that mail goes out again', () => {
    const log = open();
    log.attempted('e', OK);
    for (let n = 0; n < 3; n++) {
      log.attempted('e', told('deferred', { text: '', error: 'ETIMEDOUT' }));
      log.attempted('e', OK);
      log.attempted('e', OK);
    }
    expect(lines).toEqual([expect.stringMatching(/^warn/), 'log: mx.test:25 takes mail again.']);
  });

  it('tells observers of each reason of an attempt', () => {
    const reply = { code: 550, text: '550 5.1.1 canary' };
    open().attempted('e', [
      ...OK,
      ...told('rejected', reply),
      ...told('rejected', reply),
      ...told('unknown', { text: '' }),
    ]);
    expect(failed.mock.calls).toEqual([
      [{ emailId: 'e', kind: 'reply', reason: '550 5.1.1' }],
      [{ emailId: 'e', kind: 'network', reason: 'no reply' }],
    ]);
  });

  it('remembers so many reasons and no more', () => {
    const log = open();
    for (let code = 400; code < 600; code++) log.attempted('e', told('rejected', { code, text: '' }));
    log.attempted('e', told('rejected', { code: 599, text: '' }));
    expect(lines).toHaveLength(200);
    log.attempted('e', told('rejected', { code: 400, text: '' }));
    expect(lines).toHaveLength(201);
  });
});
