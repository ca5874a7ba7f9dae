import { ERASED_ADDRESS } from '../../shared/mailbox/erased-address.js';
import type { ReportedOutcome } from '../ports/reported-outcome.js';
import type { RecipientState } from '../states/recipient-state.js';
import type { ReportedEmail } from '../storage/deliver/change.repository.js';
import { moveOf } from './reported-recipient.js';

const recipients = (...statuses: RecipientState['status'][]): RecipientState[] =>
  statuses.map((status, at) => ({ address: `r${at}@to.test`, status }));
const email = (statuses: RecipientState['status'][], some: Partial<ReportedEmail> = {}): ReportedEmail => ({
  accountId: 'one',
  recipients: recipients(...statuses),
  lastEvent: 'sent',
  attempts: 1,
  reported: [],
  ...some,
});
const known = (
  type: 'bounced' | 'delivery_delayed' | 'unsubscribed',
  recipient: string | null,
  reason: string | null = null,
) => ({ type, recipient, source: 'relay', reason, reasonCode: null }) as const;
const unconfirmed = { ...known('bounced', 'r1@to.test'), reasonCode: 'unconfirmed_bounce' };
const report = { recipient: 'r1@to.test', source: 'relay' } as const;

describe('moveOf', () => {
  it('moves one recipient, and the email to the state that its recipients add up to', () => {
    expect(moveOf(email(['delivered', 'sent']), { ...report, kind: 'delivered', reply: '250 ok' })).toEqual({
      place: 1,
      status: 'delivered',
      lastEvent: 'delivered',
      isPending: false,
      event: { type: 'delivered', recipient: 'r1@to.test', reason: '250 ok', source: 'relay' },
    });
    const bounced = moveOf(email(['pending', 'sent']), {
      ...report,
      kind: 'bounced',
      code: 'unknown_user',
      reply: `550 5.1.1 no\0${'x'.repeat(600)}`,
    });
    expect(bounced).toMatchObject({ status: 'bounced', lastEvent: 'bounced', isPending: true });
    expect(bounced).toHaveProperty('event.bounce', { type: 'Permanent', subType: 'General' });
    expect(bounced).toHaveProperty('event.reasonCode', 'unknown_user');
    expect(bounced).toHaveProperty('event.reason', expect.stringMatching(/^550 5\.1\.1 no\ufffdx{487}$/));
  });

  describe('on a redirected message', () => {
    const redirected = (...statuses: RecipientState['status'][]) =>
      email(statuses, { recipients: recipients(...statuses).map((one) => ({ ...one, redirected: true as const })) });
    const failed = { type: 'failed', reasonCode: 'redirect_failed', reason: '550 5.1.1 no', source: 'relay' };

    it.each([
      ['bounced', 'address_unknown'],
      ['bounced', 'unconfirmed_bounce'],
      ['failed', 'expired'],
    ] as const)('records %s (%s) as a failure that is not about the address', (kind, code) => {
      const bounce = { type: 'Permanent', subType: 'General' } as const;
      expect(moveOf(redirected('sent', 'sent'), { ...report, kind, code, bounce, reply: '550 5.1.1 no' })).toEqual({
        place: 1,
        status: 'failed',
        lastEvent: 'failed',
        isPending: false,
        event: { ...failed, recipient: 'r1@to.test' },
      });
    });

    it('records a bounce of the other mailbox without a recipient where several are possible', () => {
      const bounced = {
        source: 'relay',
        kind: 'bounced',
        recipient: 'qa@staging.test',
        reply: '550 5.1.1 no',
      } as const;
      expect(moveOf(redirected('sent', 'sent'), { ...bounced, mayBeUnnamed: true })).toMatchObject({
        place: null,
        event: failed,
      });
      expect(moveOf(redirected('sent', 'sent'), bounced)).toBe('unknown_recipient');
    });

    it('ignores a complaint by the owner of the other mailbox', () => {
      expect(moveOf(redirected('sent', 'sent'), { ...report, kind: 'complained' })).toBe('unchanged');
      const unnamed = { source: 'relay', kind: 'complained', mayBeUnnamed: true } as const;
      expect(moveOf(redirected('sent', 'sent'), unnamed)).toBe('unchanged');
    });

    it('does not end the attempts at a pending recipient by a bounce that anybody could have written', () => {
      const unconfirmedReport = { ...report, kind: 'bounced', code: 'unconfirmed_bounce' } as const;
      expect(moveOf(redirected('sent', 'delivery_delayed'), unconfirmedReport)).toBe('unchanged');
    });

    it('records deliveries, delays and opt-outs as always', () => {
      for (const [kind, type] of [
        ['delivered', 'delivered'],
        ['deferred', 'delivery_delayed'],
        ['unsubscribed', 'unsubscribed'],
      ] as const)
        expect(moveOf(redirected('sent', 'sent'), { ...report, kind })).toMatchObject({ event: { type } });
    });
  });

  it('records once that a recipient unsubscribed, in any state, and moves nothing', () => {
    const unsubscribed = { ...report, kind: 'unsubscribed', source: 'unsubscribe' } as const;
    for (const [statuses, attempts] of [
      [['sent', 'delivered'], 1],
      [['sent', 'pending'], 0],
    ] as [RecipientState['status'][], number][]) {
      expect(moveOf(email(statuses, { attempts }), unsubscribed)).toEqual({
        place: null,
        status: null,
        lastEvent: 'sent',
        isPending: statuses.includes('pending'),
        event: { type: 'unsubscribed', recipient: 'r1@to.test', source: 'unsubscribe' },
      });
    }
    const again = { reported: [known('unsubscribed', 'r1@to.test')] };
    expect(moveOf(email(['sent', 'sent'], again), unsubscribed)).toBe('unchanged');
    const ofOther = { reported: [known('unsubscribed', 'r0@to.test')] };
    expect(moveOf(email(['sent', 'sent'], ofOther), unsubscribed)).toHaveProperty('event.type', 'unsubscribed');
    const unnamed = { ...unsubscribed, recipient: 'x@to.test', mayBeUnnamed: true };
    expect(moveOf(email(['sent', 'sent']), unnamed)).toBe('unknown_recipient');
    const erased = { recipients: [{ address: ERASED_ADDRESS, status: 'sent' as const }] };
    expect(moveOf(email([], erased), { ...unsubscribed, recipient: 'r1@to.test' })).toBe('unknown_recipient');
  });

  it('prefers the kind of bounce in the report to the one in the reply', () => {
    const bounce = { type: 'Transient', subType: 'MailboxFull' } as const;
    const given = { ...bounce, secret: 'joe@else.test\0' };
    const move = moveOf(email(['sent', 'sent']), { ...report, kind: 'bounced', reply: '550 5.1.1 no', bounce: given });
    expect(move).toHaveProperty('event.bounce', bounce);
    expect(moveOf(email(['sent', 'sent']), { ...report, kind: 'bounced' })).toHaveProperty('event.bounce', {
      type: 'Undetermined',
      subType: 'Undetermined',
    });
  });

  it('gives each bounce a reason code that agrees with its kind', () => {
    const codeOf = (some: Partial<ReportedOutcome>) => {
      const move = moveOf(email(['sent', 'sent']), { ...report, kind: 'bounced', ...some });
      return typeof move === 'string' ? move : [move.event.reasonCode, move.event.bounce?.type];
    };
    expect(codeOf({ reply: '550 5.1.1 nobody' })).toEqual(['address_unknown', 'Permanent']);
    expect(codeOf({ bounce: { type: 'Permanent', subType: 'General' } })).toEqual(['address_unknown', 'Permanent']);
    expect(codeOf({ reply: '552 5.2.2 full', bounce: { type: 'Transient', subType: 'General' } })).toEqual([
      'route_failed',
      'Transient',
    ]);
    expect(codeOf({ code: 'unconfirmed_bounce', reply: '550 5.1.1 nobody' })).toEqual([
      'unconfirmed_bounce',
      'Permanent',
    ]);
    expect(codeOf({ code: 'mailbox_full', reply: '550 5.1.1 nobody' })).toEqual(['mailbox_full', 'Transient']);
    expect(codeOf({})).toEqual(['unrecognised_reply', 'Undetermined']);
  });

  it('finds a recipient in any letter case, and says when there is none', () => {
    const sent = email(['sent', 'sent']);
    expect(moveOf(sent, { ...report, recipient: '"R1"@TO.test', kind: 'complained' })).toMatchObject({ place: 1 });
    expect(moveOf(sent, { ...report, recipient: 'r2@to.test', kind: 'complained' })).toBe('unknown_recipient');
    expect(moveOf(sent, { ...report, recipient: 'no address', kind: 'complained' })).toBe('unknown_recipient');
  });

  it('prefers an index to addresses, and these in their order', () => {
    const sent = email(['sent', 'sent', 'sent']);
    const bounced = { source: 'relay', kind: 'bounced' } as const;
    expect(moveOf(sent, { ...bounced, recipient: 'r1@to.test', recipientIndex: 2 })).toMatchObject({ place: 2 });
    expect(moveOf(sent, { ...bounced, recipient: ['x@y.test', 'r1@to.test', 'r0@to.test'] })).toMatchObject({
      place: 1,
    });
    expect(moveOf(sent, { ...bounced, recipientIndex: 3 })).toBe('unknown_recipient');
  });

  describe('of a report without a known recipient', () => {
    const unnamed = {
      source: 'relay',
      kind: 'bounced',
      reply: '550 no',
      mayBeUnnamed: true,
    } as const;

    it.each([
      ['the only recipient', email(['sent']), 0],
      ['the only one that was sent to', email(['suppressed', 'delivered', 'failed']), 1],
      ['the only one that is under way', email(['bounced', 'sent']), 1],
    ] as const)('moves %s', (_, found, place) => {
      expect(moveOf(found, unnamed)).toMatchObject({
        place,
        status: 'bounced',
        event: { recipient: `r${place}@to.test` },
      });
    });

    it('records an event without a recipient where there are several, and moves none', () => {
      const move = moveOf(email(['sent', 'sent']), unnamed);
      expect(move).toMatchObject({ place: null, status: null, lastEvent: 'sent', isPending: false });
      expect(move).toHaveProperty('event.type', 'bounced');
      expect(move).not.toHaveProperty('event.recipient');
      const verdict = { reasonCode: 'no_address_in_report', bounce: { type: 'Permanent', subType: 'NoEmail' } };
      expect(move).toMatchObject({ event: verdict });
      const other = { ...unnamed, recipient: 'x@y.test' };
      expect(moveOf(email(['sent']), other)).toMatchObject({ place: null, status: null });
      expect(moveOf(email(['sent', 'sent']), { ...unnamed, kind: 'deferred' })).toHaveProperty(
        'event.type',
        'delivery_delayed',
      );
    });

    it.each([
      ['repeated for the only recipient', email(['bounced'])],
      [
        'repeated for the one that was under way',
        email(['bounced', 'bounced'], { reported: [known('bounced', 'r1@to.test', '550 no')] }),
      ],
      ['about several once more', email(['sent', 'sent'], { reported: [known('bounced', null, '550 other')] })],
      ['about an email without an attempt', email(['pending', 'pending'], { attempts: 0 })],
    ])('changes nothing when it is %s', (_, found) => {
      expect(moveOf(found, unnamed)).toBe('unchanged');
    });
  });

  it.each([
    ['what is known', email(['sent', 'delivered']), 'delivered'],
    ['what is behind', email(['sent', 'bounced']), 'delivered'],
    ['a recipient without a sent email', email(['sent', 'suppressed']), 'bounced'],
    ['an email without an attempt', email(['pending', 'pending'], { attempts: 0 }), 'bounced'],
    ['a delay of a recipient that is further', email(['sent', 'delivered']), 'deferred'],
    ['a known delay', email(['sent', 'sent'], { reported: [known('delivery_delayed', 'r1@to.test')] }), 'deferred'],
    ['a delay of a pending recipient', email(['sent', 'pending']), 'deferred'],
  ] as const)('changes nothing for %s', (_, found, kind) => {
    expect(moveOf(found, { ...report, kind })).toBe('unchanged');
  });

  describe('of a bounce that any recipient could have written', () => {
    const forged = { ...report, kind: 'bounced', code: 'unconfirmed_bounce', reply: '550 5.1.1 no' } as const;
    const real = { ...report, kind: 'bounced', reply: '550 5.1.1 no' } as const;

    it('moves a recipient that was sent to, and none that is pending', () => {
      expect(moveOf(email(['sent', 'sent']), forged)).toMatchObject({ status: 'bounced' });
      for (const status of ['pending', 'delivery_delayed'] as const) {
        expect(moveOf(email(['sent', status]), forged)).toBe('unchanged');
        expect(moveOf(email(['sent', status]), real)).toMatchObject({ status: 'bounced' });
      }
    });

    it('does not hide the real one, which is recorded next to it, once', () => {
      const bounced = email(['sent', 'bounced'], { lastEvent: 'bounced', reported: [unconfirmed] });
      expect(moveOf(bounced, real)).toEqual({
        place: 1,
        status: null,
        lastEvent: 'bounced',
        isPending: false,
        event: {
          type: 'bounced',
          recipient: 'r1@to.test',
          reason: '550 5.1.1 no',
          reasonCode: 'address_unknown',
          bounce: { type: 'Permanent', subType: 'General' },
          source: 'relay',
        },
      });
      expect(moveOf(bounced, forged)).toBe('unchanged');
      const both = { ...bounced, reported: [unconfirmed, known('bounced', 'r1@to.test')] };
      expect(moveOf(both, real)).toBe('unchanged');
    });

    it.each([
      ['that was refused at once', email(['sent', 'bounced'])],
      [
        'while another has one',
        email(['bounced', 'bounced'], { reported: [{ ...unconfirmed, recipient: 'r0@to.test' }] }),
      ],
      ['that has complained', email(['sent', 'complained'], { reported: [unconfirmed] })],
    ] as const)('leaves a recipient alone %s', (_, found) => {
      expect(moveOf(found, real)).toBe('unchanged');
    });
  });

  it('records a delay at the next hop, and leaves the recipient sent', () => {
    expect(moveOf(email(['sent', 'sent']), { ...report, kind: 'deferred' })).toEqual({
      place: 1,
      status: null,
      lastEvent: 'sent',
      isPending: false,
      event: { type: 'delivery_delayed', recipient: 'r1@to.test', source: 'relay' },
    });
  });

  it('keeps no words about an email with an erased recipient', () => {
    const erased = email(['sent', 'sent'], { recipients: [{ address: ERASED_ADDRESS, status: 'sent' }] });
    const move = moveOf(erased, {
      source: 'relay',
      kind: 'bounced',
      recipientIndex: 0,
      reply: '550 r0@to.test unknown',
    });
    expect(move).toMatchObject({ place: 0, event: { recipient: ERASED_ADDRESS } });
    expect(move).not.toHaveProperty('event.reason');
  });

  it('leaves a canceled email canceled', () => {
    const canceled = email(['canceled', 'sent'], { lastEvent: 'canceled' });
    expect(moveOf(canceled, { ...report, kind: 'bounced' })).toMatchObject({
      status: 'bounced',
      lastEvent: 'canceled',
    });
  });
});
