import type { HandedEvent } from '../../index.js';
import { countReputation } from './count-reputation.js';

const event = (fields: object): HandedEvent => ({
  key: '',
  event: { accountId: 'one', recipient: 'a@to.test', email: {}, type: 'bounced', ...fields } as never,
});
const PERMANENT = { type: 'Permanent', subType: 'General' };

describe('countReputation', () => {
  it('counts bounces because of the address, complaints, and what the next hop refused', () => {
    const counts = countReputation([
      event({ reasonCode: 'address_unknown', bounce: PERMANENT, attempt: 1 }),
      event({ reasonCode: 'address_unknown', bounce: PERMANENT }),
      event({ reasonCode: 'policy_rejected', bounce: { type: 'Transient', subType: 'General' }, attempt: 1 }),
      event({ reasonCode: 'policy_rejected', bounce: { type: 'Transient', subType: 'General' } }),
      event({ type: 'complained', recipient: undefined }),
      event({ type: 'complained', accountId: 'two' }),
      event({ type: 'failed', reasonCode: 'expired' }),
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      one: { bounces: 2, complaints: 1, refused: 2 },
      two: { bounces: 0, complaints: 1, refused: 0 },
    });
  });

  it('counts no bounce that a holder of a shared return path may have made up', () => {
    const made = event({ reasonCode: 'unconfirmed_bounce', bounce: PERMANENT });
    expect([...countReputation([made])]).toEqual([]);
  });

  it('counts no bounce of an operator in a bad hour', () => {
    const refused = event({ reasonCode: 'address_unknown', bounce: { ...PERMANENT, operator: 'gmail' }, attempt: 1 });
    expect([...countReputation([refused], new Set(['gmail']))]).toEqual([
      ['one', { bounces: 0, complaints: 0, refused: 1 }],
    ]);
    expect([...countReputation([refused], new Set(['yahoo']))]).toEqual([
      ['one', { bounces: 1, complaints: 0, refused: 1 }],
    ]);
  });

  it('counts no event that is not about an email', () => {
    const record = { id: '1', accountId: 'one', type: 'complained', createdAt: new Date(), data: {} };
    expect([...countReputation([{ key: '', event: record }])]).toEqual([]);
  });
});
