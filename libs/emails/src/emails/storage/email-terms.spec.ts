import { termsOf } from './email-terms.js';

const NOTHING = { to: [], cc: [], bcc: [], replyTo: [], tags: [], topicId: null };

it('has one term for every spelling of an address, with its field', () => {
  const from = 'Me <Me@From.test>';
  const spellings = ['Ä@Bücher.test', '"x" <ä@xn--bcher-kva.test>', ' A\u0308@bücher.TEST '];
  for (const address of spellings) {
    const rcpt = 'rcpt:ä@xn--bcher-kva.test';
    const sender = ['from:me@from.test', 'from:@from.test'];
    expect(termsOf({ ...NOTHING, from, to: [address] })).toEqual([...sender, rcpt]);
    expect(termsOf({ ...NOTHING, from, cc: [address] })).toEqual([...sender, rcpt, 'cc:ä@xn--bcher-kva.test']);
    expect(termsOf({ ...NOTHING, from, bcc: [address] })).toEqual([...sender, rcpt, 'bcc:ä@xn--bcher-kva.test']);
    expect(termsOf({ ...NOTHING, from, replyTo: [address] })).toEqual([...sender, 'reply:ä@xn--bcher-kva.test']);
  }
});

it('has terms for tags and topics, and skips values that are not mailboxes', () => {
  const tags = [
    { name: 'Kind', value: 'Order' },
    { name: 'empty', value: '' },
  ];
  const topicId = '0198F0C1-0000-7000-8000-00000000000A';
  expect(termsOf({ ...NOTHING, from: 'nobody', to: ['<>', 'a@', 'a b@c.test'], tags, topicId })).toEqual([
    'tag:Kind',
    'tag:Kind:Order',
    'tag:empty',
    'tag:empty:',
    'topic:0198f0c1-0000-7000-8000-00000000000a',
  ]);
});
