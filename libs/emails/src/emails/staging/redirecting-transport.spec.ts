import { jest } from '@jest/globals';
import type { BuiltMessage, ConnectingTransport, RecipientOutcome } from '../ports/email-transport.js';
import { redirectMailboxOf } from './redirect-mailbox.js';
import { RedirectingTransport } from './redirecting-transport.js';

const MESSAGE: BuiltMessage = {
  from: 'x@from.test',
  recipients: ['a@to.test', 'b@to.test'],
  needsSmtpUtf8: false,
  raw: Buffer.from('Subject: x\r\n\r\n'),
};
const reply = { code: 250, text: '250 ok' };

function setUp(
  { mailbox = 'qa@STAGING.test', hop = 'relay' as 'relay' | 'final' } = {},
  outcomes: readonly Omit<RecipientOutcome, 'address'>[] | 'stale' = [{ outcome: 'accepted', reply }],
) {
  const sent: BuiltMessage[] = [];
  const answer = (message: BuiltMessage) => {
    sent.push(message);
    if (outcomes === 'stale') return outcomes;
    return message.recipients.flatMap((address) => outcomes.map((outcome) => ({ ...outcome, address })));
  };
  const slot = {
    send: jest.fn(async (message: BuiltMessage) => answer(message)),
    reopen: jest.fn(async () => {}),
    release: jest.fn(),
  };
  const acquireSlot = jest.fn<ConnectingTransport['acquireSlot']>(async () => slot);
  const transport = {
    hop,
    nextHop: 'mx.test:25',
    kind: 'ses',
    send: async (message: BuiltMessage) => answer(message) as RecipientOutcome[],
    verify: jest.fn(async () => {}),
    close: jest.fn(async () => {}),
  };
  const to = redirectMailboxOf(mailbox);
  return {
    sent,
    slot,
    acquireSlot,
    transport,
    plain: new RedirectingTransport(transport, to),
    granting: new RedirectingTransport({ ...transport, acquireSlot }, to),
  };
}

describe('RedirectingTransport', () => {
  it('sends a message once to the mailbox, and each recipient gets its outcome', async () => {
    const { plain, sent } = setUp();
    expect(await plain.send(MESSAGE)).toEqual([
      { address: 'a@to.test', outcome: 'accepted', reply },
      { address: 'b@to.test', outcome: 'accepted', reply },
    ]);
    expect(sent).toEqual([{ ...MESSAGE, recipients: ['qa@staging.test'] }]);
  });

  it('does so in a slot, which is acquired for the domain of the mailbox', async () => {
    const { granting, sent, slot, acquireSlot } = setUp();
    const acquired = await granting.acquireSlot?.(5, 'to.test', 'quick', 3);
    expect(acquireSlot).toHaveBeenCalledWith(5, 'staging.test', 'quick', 3);
    const sending = acquired?.send(MESSAGE);
    // The first bytes are written before this returns.
    expect(sent).toHaveLength(1);
    expect(await sending).toMatchObject([{ address: 'a@to.test' }, { address: 'b@to.test' }]);
    expect(sent[0]?.recipients).toEqual(['qa@staging.test']);
    await acquired?.reopen();
    acquired?.release();
    expect(slot.reopen).toHaveBeenCalledTimes(1);
    expect(slot.release).toHaveBeenCalledTimes(1);
    await granting.acquireSlot?.(5);
    expect(acquireSlot).toHaveBeenLastCalledWith(5, undefined);
  });

  it('passes on that there is no slot, and that a connection is stale', async () => {
    const { granting, acquireSlot } = setUp({}, 'stale');
    expect(await (await granting.acquireSlot?.(5))?.send(MESSAGE)).toBe('stale');
    acquireSlot.mockResolvedValueOnce(undefined);
    expect(await granting.acquireSlot?.(5)).toBeUndefined();
  });

  it('reports nothing where the transport says nothing of the mailbox', async () => {
    expect(await setUp({}, []).plain.send(MESSAGE)).toEqual([]);
  });

  it('needs SMTPUTF8 for the mailbox as well', async () => {
    const { plain, sent } = setUp({ mailbox: 'jörg@bücher.example' });
    await plain.send(MESSAGE);
    expect(sent[0]).toMatchObject({ recipients: ['jörg@xn--bcher-kva.example'], needsSmtpUtf8: true });
  });

  it('is the transport in everything else', async () => {
    const { plain, granting, transport } = setUp({ hop: 'final' });
    expect(plain).toMatchObject({ hop: 'final', nextHop: 'mx.test:25', kind: 'ses' });
    expect('acquireSlot' in plain).toBe(false);
    expect('acquireSlot' in granting).toBe(true);
    const { signal } = new AbortController();
    await plain.verify(signal);
    await plain.close();
    expect(transport.verify).toHaveBeenCalledWith(signal);
    expect(transport.close).toHaveBeenCalledTimes(1);
  });
});
