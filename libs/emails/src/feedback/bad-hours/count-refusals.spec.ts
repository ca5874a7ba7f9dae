import type { HandedEvent } from '../../index.js';
import { countRefusals } from './count-refusals.js';
import { mailboxHash } from './mailbox-hash.js';

const AT = new Date(0);
const event = (fields: object): HandedEvent => ({
  key: '',
  event: {
    accountId: 'one',
    email: {},
    type: 'bounced',
    reasonCode: 'address_unknown',
    recipient: 'a@gmail.com',
    createdAt: AT,
    bounce: { type: 'Permanent', subType: 'General', operator: 'gmail' },
    ...fields,
  } as never,
});

describe('countRefusals', () => {
  it('counts permanent refusals of operators, and tells those at their own domains', () => {
    const count = { operator: 'gmail', accountId: 'one', at: AT, recipients: 0, refusals: 1 };
    expect(countRefusals([event({}), event({ recipient: 'a@firm.test' })])).toEqual([
      { ...count, ownRefusals: 1, mailbox: mailboxHash('a@gmail.com') },
      { ...count, ownRefusals: 0, mailbox: mailboxHash('a@firm.test') },
    ]);
  });

  it('counts later reports of a relay, and by mail those about mailboxes of the operator', () => {
    const count = (source: string, recipient: string) => countRefusals([event({ source, recipient })]).length;
    expect(count('relay', 'a@evil.test')).toBe(1);
    expect(count('dsn', 'a@GoogleMail.com')).toBe(1);
    for (const address of ['a@evil.test', 'a@outlook.com', 'a@sub.gmail.com', 'a@gmail.com.evil.test'])
      expect([address, count('dsn', address)]).toEqual([address, 0]);
  });

  it.each([
    ['of no operator', { bounce: { type: 'Permanent', subType: 'General' } }],
    ['for another cause', { reasonCode: 'policy_rejected', bounce: { type: 'Transient', subType: 'General' } }],
    ['that may be made up', { reasonCode: 'unconfirmed_bounce' }],
    ['without a recipient', { recipient: undefined }],
    ['that are complaints', { type: 'complained' }],
  ])('counts none %s', (_, fields) => {
    expect(countRefusals([event(fields)])).toEqual([]);
  });
});
