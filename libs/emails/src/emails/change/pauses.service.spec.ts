import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Pause } from '../ports/pause.js';
import type { PauseStore } from '../storage/deliver/pause.repository.js';
import { PausesService } from './pauses.service.js';
import { Persistence } from './persistence.js';

const SINCE = new Date('2026-11-01T00:00:00Z');

let lines: string[];

beforeEach(() => {
  lines = [];
  for (const level of ['log', 'warn'] as const) {
    jest.spyOn(Logger.prototype, level).mockImplementation((line: unknown) => void lines.push(`${level} ${line}`));
  }
});

afterEach(() => jest.restoreAllMocks());

function serviceOf(pauses: readonly Pause[] = [], isKnown = true) {
  const store: PauseStore = {
    begin: async () => ({ kind: 'paused', isNew: isKnown, inForceIn: 0 }),
    end: async () => ({
      kind: 'released',
      hasEnded: isKnown,
      emails: isKnown ? [{ emailId: 'e', accountId: 'one', fence: 3, isBulk: true }] : [],
    }),
    mail: async () => ({ count: 0, accounts: [] }),
    list: async () => [...pauses],
  };
  const wake = jest.fn();
  return { service: new PausesService(store, { wake }, new Persistence()), wake };
}

describe('PausesService', () => {
  it('logs each pause at the start', async () => {
    const { service } = serviceOf([
      { since: SINCE, reason: 'Restored.' },
      { template: 'welcome', transport: 'relay', since: SINCE, reason: 'Wrong.' },
    ]);
    await service.onApplicationBootstrap();
    expect(lines).toEqual([
      'warn Paused since 2026-11-01T00:00:00.000Z: all mail. Restored.',
      'warn Paused since 2026-11-01T00:00:00.000Z: the mail from template welcome through relay. Wrong.',
    ]);
  });

  it('starts when the pauses cannot be read', async () => {
    const { service } = serviceOf();
    jest.spyOn(service, 'list').mockRejectedValue(new Error('away'));
    await expect(service.onApplicationBootstrap()).resolves.toBeUndefined();
  });

  it('logs when a pause begins and ends, and not when nothing changes', async () => {
    const none = serviceOf([], false);
    await none.service.pause({ account: 'one', reason: 'Bounces.' });
    await none.service.resume({ account: 'one' });
    const known = serviceOf();
    await known.service.pause({ account: 'one', reason: 'Bounces.' });
    await known.service.resume({ topic: 't' });
    expect(lines).toEqual([
      'warn Paused: the mail of account one. Emails are accepted and wait. Bounces.',
      'log Resumed: the mail of topic t. Emails that waited are sent.',
    ]);
    expect(known.wake.mock.calls).toEqual([
      [{ emailId: 'e', accountId: 'one', fence: 3, isBulk: true, delay: 0, mayShare: true }],
    ]);
  });

  it('names the kinds of paused mail without ids', async () => {
    const { service } = serviceOf([
      { since: SINCE, reason: '' },
      { account: 'one', since: SINCE, reason: '' },
      { account: 'two', since: SINCE, reason: '' },
      { topic: 't', since: SINCE, reason: '' },
      { template: 't', since: SINCE, reason: '' },
      { account: 'one', transport: 'relay', since: SINCE, reason: '' },
    ]);
    expect(await service.parts()).toEqual(['everything', 'accounts', 'topics', 'templates', 'transports']);
  });
});
