import { didYouMean } from './did-you-mean.js';

const KNOWN = ['from', 'to', 'cc', 'bcc', 'reply_to', 'subject', 'html', 'scheduled_at', 'content', 'content_id'];

describe('didYouMean', () => {
  it.each([
    ['replyTo', 'reply_to'],
    ['Reply-To', 'reply_to'],
    ['scheduledAt', 'scheduled_at'],
    ['form', 'from'],
    ['subjct', 'subject'],
    ['htmll', 'html'],
    ['subkect', 'subject'],
    ['email_subject', 'subject'],
    ['inline_content_id', 'content_id'],
  ])('takes %s for %s', (given, meant) => {
    expect(didYouMean(given, KNOWN)).toBe(meant);
  });

  it.each(['colour', '', 'x'.repeat(100_000), '__proto__'])('has no suggestion for others', (given) => {
    expect(didYouMean(given, KNOWN)).toBeUndefined();
  });
});
