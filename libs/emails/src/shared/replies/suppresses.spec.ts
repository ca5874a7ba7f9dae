import { suppresses } from './suppresses.js';

const PERMANENT = { type: 'Permanent', subType: 'General' } as const;

describe('suppresses', () => {
  it.each(['address_unknown', 'address_disabled', 'address_invalid', 'domain_not_found'])(
    'adds an address that bounced permanently with %s',
    (reasonCode) => {
      expect(suppresses({ type: 'bounced', reasonCode, bounce: PERMANENT })).toBe('bounce');
    },
  );

  it('adds the address of a complaint', () => {
    expect(suppresses({ type: 'complained' })).toBe('complaint');
  });

  it.each([
    ['a bounce without a code', { type: 'bounced', bounce: PERMANENT }],
    ['an unconfirmed bounce', { type: 'bounced', reasonCode: 'unconfirmed_bounce', bounce: PERMANENT }],
    ['content', { type: 'bounced', reasonCode: 'content_rejected', bounce: PERMANENT }],
    [
      'a transient bounce',
      { type: 'bounced', reasonCode: 'address_unknown', bounce: { ...PERMANENT, type: 'Transient' } },
    ],
    ['a bounce of no kind', { type: 'bounced', reasonCode: 'address_unknown' }],
    ['a policy with such a code', { type: 'failed', reasonCode: 'address_unknown' }],
    ['the code of a prototype', { type: 'bounced', reasonCode: 'constructor', bounce: PERMANENT }],
  ] as const)('adds nothing for %s', (_, event) => {
    expect(suppresses(event)).toBeUndefined();
  });
});
