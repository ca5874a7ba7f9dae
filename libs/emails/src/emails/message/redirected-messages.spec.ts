import { MessageBuilder, type MessageContent } from './message-builder.js';
import { RedirectedMessages } from './redirected-messages.js';

const EMAIL = {
  id: '0196a000-0000-7000-8000-0000000000ff',
  accountId: 'one',
  messageId: '<a@from.test>',
  from: 'Shop <shop@from.test>',
  to: ['a@to.test'],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  html: null,
  text: 'Hello',
  contentSize: 5,
  headers: [],
  date: new Date(0),
  attachments: [],
  recipients: [],
  topicId: null,
} as unknown as MessageContent;

async function build(email: Partial<MessageContent>, recipients: string[]) {
  const messages = new RedirectedMessages(new MessageBuilder({} as never));
  const { raw, ...message } = await messages.build({ ...EMAIL, ...email }, recipients, new Set());
  const [head = ''] = String(raw).split('\r\n\r\n');
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const field = (name: string) =>
    unfolded.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
  return { ...message, head, field };
}

/** Encoded words of RFC 2047 in Q. */
function decoded(value: string): string {
  return value.replace(/=\?UTF-8\?Q\?([!-~]*?)\?=/g, (_, word: string) =>
    decodeURIComponent(word.replaceAll('_', ' ').replaceAll('=', '%')),
  );
}

describe('RedirectedMessages', () => {
  it('have their recipients in header fields, and the envelope that the stages see', async () => {
    const { field, recipients } = await build({}, ['a@to.test', 'b@to.test']);
    expect(field('X-Original-To')).toEqual(['a@to.test']);
    expect(field('X-Original-Bcc')).toEqual(['1 others']);
    expect(recipients).toEqual(['a@to.test', 'b@to.test']);
  });

  it('fold hundreds of recipients, and an address of any length stays in one line', async () => {
    const long = `${'l'.repeat(64)}@${'d'.repeat(63)}.${'e'.repeat(63)}.test`;
    const to = [...Array.from({ length: 500 }, (_, n) => `recipient-${n}@to.test`), long];
    const { head, field } = await build({ to }, to);
    expect(field('X-Original-To')).toEqual([to.join(', ')]);
    const lines = head.slice(head.indexOf('X-Original-To')).split('\r\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(line.includes(long) ? 998 : 78);
  });

  it('encode an address that is not ASCII, which the message needs no SMTPUTF8 for', async () => {
    const { field, needsSmtpUtf8 } = await build({ to: ['jörg@to.test'], cc: ['a@to.test'] }, [
      'jörg@to.test',
      'a@to.test',
    ]);
    expect(field('X-Original-To').map(decoded)).toEqual(['jörg@to.test, a@to.test']);
    // The address in `To` needs it.
    expect(needsSmtpUtf8).toBe(true);
  });

  it('name an address with quotes as it is', async () => {
    const { field } = await build({ to: ['"a b"@to.test'] }, ['"a b"@to.test']);
    expect(field('X-Original-To').map(decoded)).toEqual(['"a b"@to.test']);
  });
});
