import type { Pause } from 'nestjs-emails';
import { pausesOf } from './pauses-of.js';

const SINCE = new Date('2026-11-01T00:00:00Z');
const pause = (some: Partial<Pause>): Pause => ({ since: SINCE, reason: 'Wait.', ...some });
const shown = (what: string) => ({ since: SINCE.toISOString(), reason: 'Wait.', what });

describe('the pause in the banner', () => {
  it.each([
    [[], null],
    [[pause({ account: 'other' })], null],
    [[pause({ account: 'one' })], shown('account')],
    [[pause({ account: 'one' }), pause({})], shown('everything')],
    [[pause({ topic: 't' }), pause({ template: 't' }), pause({ transport: 'relay' })], null],
    [[pause({ account: 'one', transport: 'relay' })], null],
  ])('of account one with %j is %j', async (pauses, expected) => {
    expect(await pausesOf({ pauses: async () => pauses })?.('one')).toEqual(expected);
  });

  it('is none without emails', () => {
    expect(pausesOf(undefined)).toBeUndefined();
  });
});
