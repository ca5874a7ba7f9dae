import type { RecipientState } from '../states/recipient-state.js';
import type { ErasableEmail } from '../storage/erase/erasure.repository.js';
import { eraseFrom } from './erased-email.js';

const ERASED = 'erased@erased.invalid';
const ID = '01900000-0000-7000-8000-000000000000';
const JANE = 'jane@person.test';

type Status = RecipientState['status'];

function email(recipients: Record<string, Status>, some: Partial<ErasableEmail> = {}): ErasableEmail {
  const states = Object.entries(recipients).map(([address, status]) => ({ address, status }));
  return {
    id: ID,
    seq: '1',
    subject: 'Hello',
    from: 'shop@shop.test',
    to: Object.keys(recipients),
    cc: [],
    bcc: [],
    replyTo: [],
    headers: [],
    messageId: `<${ID}@shop.test>`,
    recipients: states,
    lastEvent: 'queued',
    attempts: 0,
    finished: false,
    ...some,
  };
}

describe('eraseFrom', () => {
  it('finds no one in an email to others with similar addresses', () => {
    expect(
      eraseFrom(email({ 'xjane@person.test': 'pending', 'jane@person.test.test': 'pending' }), JANE),
    ).toBeUndefined();
    expect(eraseFrom(email({}, { to: ['no mailbox'], headers: [['X-A', JANE]] }), JANE)).toBeUndefined();
  });

  it.each([
    ['queued', 'pending', 'canceled', 'pending', true],
    ['scheduled', 'pending', 'canceled', 'pending', true],
    ['delivery_delayed', 'delivery_delayed', 'canceled', 'delivery_delayed', true],
    ['sent', 'sent', 'sent', 'sent', false],
    ['bounced', 'bounced', 'bounced', 'bounced', false],
    ['failed', 'refused', 'failed', 'refused', false],
    ['suppressed', 'suppressed', 'suppressed', 'suppressed', false],
  ] as const)('of an email to the person alone that is %s', (lastEvent, before, state, status, canceled) => {
    const finished = !canceled;
    expect(eraseFrom(email({ [JANE]: before }, { lastEvent, finished, headers: [['X-A', 'b']] }), JANE)).toMatchObject({
      to: [ERASED],
      recipients: [{ address: ERASED, status }],
      lastEvent: state,
      over: true,
      canceled,
      cleared: true,
      headers: [],
      remainder: { content: true, sender: false, messageId: false },
    });
  });

  it.each([
    [{ bob: 'pending' }, 'scheduled', 'scheduled', false],
    [{ bob: 'pending' }, 'queued', 'queued', false],
    [{ bob: 'delivery_delayed' }, 'delivery_delayed', 'delivery_delayed', false],
    [{ bob: 'pending', eve: 'bounced' }, 'queued', 'bounced', false],
    [{ bob: 'sent' }, 'delivery_delayed', 'sent', true],
    [{ bob: 'bounced' }, 'delivery_delayed', 'bounced', true],
    [{ bob: 'suppressed' }, 'queued', 'canceled', true],
    [{ [ERASED]: 'refused' }, 'queued', 'canceled', true],
    [{ [ERASED]: 'sent' }, 'delivery_delayed', 'sent', true],
  ] as [Record<string, Status>, ErasableEmail['lastEvent'], string, boolean][])(
    'with a pending recipient, of an email also to %j that was %s',
    (others, lastEvent, state, over) => {
      expect(eraseFrom(email({ [JANE]: 'pending', ...others }, { lastEvent }), JANE)).toMatchObject({
        lastEvent: state,
        over,
        cleared: over,
        canceled: state === 'canceled',
        remainder: { content: true, sender: false, messageId: false },
      });
    },
  );

  it('knows every spelling of the address', () => {
    const spellings = ['Jane D. <JANE@Person.TEST>', '"jane"@person.test', ' jane@PERSON.test '];
    const envelope = { 'JANE@person.test': 'sent', '"jane"@person.test': 'sent', 'bob@person.test': 'sent' } as const;
    const given = email(envelope, {
      cc: spellings,
      bcc: ['Bob <bob@person.test>'],
      replyTo: spellings,
      finished: true,
    });
    expect(eraseFrom(given, JANE)).toMatchObject({
      cc: [ERASED, ERASED, ERASED],
      bcc: ['Bob <bob@person.test>'],
      replyTo: [ERASED, ERASED, ERASED],
      addresses: ['JANE@person.test', '"jane"@person.test'],
      words: [JANE, '"jane"@person.test'],
    });
  });

  it('removes the headers that name the person, also in links, and no others', () => {
    const named: [string, string][] = [
      ['X-To', `for ${JANE.toUpperCase()}!`],
      ['List-Unsubscribe', '<https://shop.test/?u=jane%40person%2etest>'],
      ['X-Jane@person.test', '1'],
      ['X-Token', `u=${Buffer.from(`to: ${JANE}!`).toString('base64url')}`],
      ['X-Link', `<https://shop.test/?u=${encodeURIComponent(Buffer.from(`?${JANE}??`).toString('base64'))}>`],
    ];
    const others: [string, string][] = [
      ['In-Reply-To', '<1@shop.test>'],
      ['X-Odd', '100 %, %zz %e4'],
    ];
    const given = email({ [JANE]: 'pending', bob: 'pending' }, { headers: [...named, ...others] });
    expect(eraseFrom(given, JANE)?.headers).toEqual(others);
  });

  it('removes the person from the names of others, and keeps their addresses', () => {
    const via = (address: string) => `"${JANE} via Shop" <${address}>`;
    const given = email({ [JANE]: 'pending', bob: 'pending' }, { from: via('shop@shop.test'), cc: [via(`x${JANE}`)] });
    expect(eraseFrom(given, JANE)).toMatchObject({ from: 'shop@shop.test', cc: [`x${JANE}`] });
    const bob = 'Bob <bob@person.test>';
    expect(eraseFrom({ ...given, replyTo: [bob] }, JANE)).toMatchObject({ replyTo: [bob] });
  });

  it('keeps a sender until all recipients are done, and its content permanently', () => {
    const from = `Jane <${JANE}>`;
    expect(eraseFrom(email({ bob: 'pending' }, { from }), JANE)).toMatchObject({
      from,
      cleared: false,
      remainder: { content: false, sender: true, messageId: false },
    });
    expect(eraseFrom(email({ bob: 'sent' }, { from, finished: true }), JANE)).toMatchObject({
      from: ERASED,
      cleared: false,
      remainder: { content: false, sender: false, messageId: false },
    });
  });

  it('changes a message id that names the person, once it cannot be seen twice', () => {
    const messageId = `<order.${JANE}>`;
    const changed = `<${ID}@erased.invalid>`;
    const to = { [JANE]: 'pending', bob: 'delivery_delayed' } as const;
    expect(eraseFrom(email(to, { messageId }), JANE)).toMatchObject({
      messageId: changed,
      remainder: { messageId: false },
    });
    expect(eraseFrom(email(to, { messageId, attempts: 1 }), JANE)).toMatchObject({
      messageId,
      remainder: { messageId: true },
    });
    expect(eraseFrom(email(to, { messageId, attempts: 1, finished: true }), JANE)).toMatchObject({
      messageId: changed,
    });
  });
});
