import { ERASED_ADDRESS } from '../../../shared/mailbox/erased-address.js';
import type { EmailSource } from '../../storage/accept/answer.repository.js';
import { SearchWords } from '../search-words.js';
import { copyOf } from './copy-of.js';

const WORDS = new SearchWords(true);

const SOURCE: EmailSource = {
  messageId: '<1@from.test>',
  date: new Date(0),
  id: '0198f0c1-0000-7000-8000-000000000000',
  from: 'a@from.test',
  to: ['b@to.test', ERASED_ADDRESS],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: 'Hello',
  hasHtml: false,
  hasText: true,
  isEmpty: false,
  isSensitive: false,
  isBulk: false,
  contentSize: 5,
  headers: [],
  tags: [],
  topicId: null,
  templateId: null,
  recipients: [
    { address: 'b@to.test', status: 'bounced' },
    { address: ERASED_ADDRESS, status: 'bounced' },
  ],
  attachments: [],
};

describe('a resent email', () => {
  it.each([true, false])('is in the lane of the first, bulk: %j', (isBulk) => {
    expect(copyOf({ ...SOURCE, isBulk }, 'one', [], null, WORDS)).toMatchObject({ isBulk, copiedSize: 5 });
  });

  it('goes to no erased recipient', () => {
    const copy = copyOf(SOURCE, 'one', [], null, WORDS);
    expect([copy.to, copy.recipients]).toEqual([['b@to.test'], [{ address: 'b@to.test', status: 'pending' }]]);
    expect(copy.words).toEqual(['hello', 'a', 'from', 'test', 'b', 'to']);
    expect(() => copyOf(SOURCE, 'one', [ERASED_ADDRESS], null, WORDS)).toThrow('`recipients[0]` is not a recipient');
  });

  it('may be empty, but not cleared', () => {
    const none = { ...SOURCE, hasText: false };
    expect(copyOf({ ...none, isEmpty: true }, 'one', [], null, WORDS)).toMatchObject({ html: null, text: null });
    expect(() => copyOf(none, 'one', [], null, WORDS)).toThrow('its content is no longer kept');
  });

  it('has no erased sender', () => {
    expect(() => copyOf({ ...SOURCE, from: `Shop <${ERASED_ADDRESS}>` }, 'one', [], null, WORDS)).toThrow('was erased');
  });
});
