import { jest } from '@jest/globals';
import type { BuiltMessage } from '../ports/email-transport.js';
import type { MessageContent } from './message-builder.js';
import { UnsubscribableMessages } from './unsubscribable-messages.js';

const LINK = 'https://mail.test/unsubscribe/TOKEN';
const EMAIL = {
  id: 'e1',
  accountId: 'one',
  topicId: 't1',
  from: 'Shop <shop@FROM.test>',
  html: '<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">x</a>',
  text: 'x {{{UNSUBSCRIBE_URL}}} {{{ UNSUBSCRIBE_URL }}}',
  headers: [['X-A', 'b']],
  recipients: [{ address: 'a@to.test' }, { address: 'b@to.test' }],
} as unknown as MessageContent;

interface Given {
  link?: string | null;
  signs?: boolean;
  mailbox?: string;
}

function setUp({ link = LINK, signs = false, mailbox }: Given = {}) {
  const built: MessageContent[] = [];
  const build = async (email: MessageContent) => {
    built.push(email);
    return {} as BuiltMessage;
  };
  const linkOf = jest.fn(() => link ?? undefined);
  const signer = { signs: jest.fn(async () => signs) };
  const addressOf = jest.fn(() => mailbox);
  const messages = new UnsubscribableMessages(
    { build },
    { links: { linkOf, optOut: async () => {} }, signers: signer, mailbox: { addressOf } },
  );
  const make = async (email: object = {}, recipients = ['b@to.test']) => {
    await messages.build({ ...EMAIL, ...email }, recipients, new Set());
    return built.at(-1) as MessageContent;
  };
  return { make, linkOf, signer, addressOf };
}

describe('UnsubscribableMessages', () => {
  it('put the link into header, html and text of a message to one recipient', async () => {
    const { make, linkOf, signer } = setUp();
    expect(await make()).toMatchObject({
      html: `<a href="${LINK}">x</a>`,
      text: `x ${LINK} ${LINK}`,
      headers: [
        ['X-A', 'b'],
        ['List-Unsubscribe', `<${LINK}>`],
      ],
    });
    expect(linkOf).toHaveBeenCalledWith({ accountId: 'one', emailId: 'e1', topicId: 't1', address: 'b@to.test' });
    expect(signer.signs).toHaveBeenCalledWith('one', 'from.test');
  });

  it('offer one click only for a signed message and an https link', async () => {
    const fields = async (set: Given, email = {}) => (await setUp(set).make(email)).headers.slice(1);
    const post = ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'];
    expect(await fields({ signs: true })).toEqual([['List-Unsubscribe', `<${LINK}>`], post]);
    expect(await fields({ signs: false })).toHaveLength(1);
    expect(await fields({ signs: true, link: LINK.replace('https', 'http') })).toHaveLength(1);
    expect(await fields({ signs: true }, { headers: [post] })).toEqual([['List-Unsubscribe', `<${LINK}>`]]);
  });

  it('name the mailbox of the recipient behind the link', async () => {
    const { make, addressOf } = setUp({ mailbox: 'u+t@bounces.test' });
    expect((await make()).headers[1]).toEqual(['List-Unsubscribe', `<${LINK}>, <mailto:u+t@bounces.test>`]);
    expect(addressOf).toHaveBeenCalledWith({ emailId: 'e1', recipient: 1 });
  });

  it.each([
    ['without a topic', { topicId: null }, ['a@to.test']],
    ['for several recipients', {}, ['a@to.test', 'b@to.test']],
    ['for nobody, as `/source` builds it', {}, []],
  ])('are as they were %s', async (_, email, recipients) => {
    const { make, linkOf } = setUp({ signs: true });
    expect(await make(email, recipients)).toEqual({ ...EMAIL, ...email });
    expect(linkOf).not.toHaveBeenCalled();
  });

  it("keep the caller's header, and add neither", async () => {
    const { make, linkOf, signer } = setUp({ signs: true });
    const headers = [['list-UNSUBSCRIBE', '<https://own.test>']];
    expect(await make({ headers })).toMatchObject({ headers, text: `x ${LINK} ${LINK}` });
    const plain = { headers, html: null, text: 'x' };
    linkOf.mockClear();
    expect(await make(plain)).toEqual({ ...EMAIL, ...plain });
    expect(linkOf).not.toHaveBeenCalled();
    expect(signer.signs).not.toHaveBeenCalled();
  });

  it('are not made without a link that the content needs', async () => {
    const { make } = setUp({ link: null });
    await expect(make()).rejects.toMatchObject({ name: 'NoUnsubscribeLink' });
    const plain = { html: '<p>x</p>', text: null };
    expect(await make(plain)).toEqual({ ...EMAIL, ...plain });
  });

  it('have no header that would not fit into a line', async () => {
    const { make } = setUp({ link: `https://mail.test/${'x'.repeat(900)}` });
    expect((await make({ html: null, text: null })).headers).toEqual(EMAIL.headers);
  });

  it('replace a hundred placeholders: a value of a variable may have many', async () => {
    const { text } = await setUp().make({ html: null, text: '{{{UNSUBSCRIBE_URL}}}'.repeat(300) });
    expect(text?.split(LINK)).toHaveLength(101);
  });
});
