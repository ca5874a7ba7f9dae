import { generateKeyPairSync } from 'node:crypto';
import { hooksRule } from './hooks.rule.js';

const SENDGRID = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  .publicKey.export({ format: 'der', type: 'spki' })
  .toString('base64');

describe('hooksRule', () => {
  it.each([
    {},
    { ses: { topics: ['arn:aws:sns:eu-west-1:123456789012:feedback', 'arn:aws-cn:sns:cn-north-1:123456789012:a'] } },
    { postmark: { auth: 'user:a-long-password' }, mailgun: { key: '0'.repeat(32) }, sendgrid: { key: SENDGRID } },
  ])('accepts %j', (given) => {
    expect(hooksRule('hooks', given)).toEqual([]);
  });

  it.each<[object | string, string]>([
    ['ses', '`hooks` must be an object (got a string).'],
    [{ sparkpost: {} }, '`hooks.sparkpost` is no option'],
    [{ ses: {} }, '`hooks.ses.topics` is missing: messages of any other topic are refused.'],
    [{ ses: { topics: [] } }, '`hooks.ses.topics` must name a topic, or `ses` must be left out.'],
    [{ ses: { topics: ['feedback'] } }, '`hooks.ses.topics[0]` must be the ARN of a topic of Amazon SNS'],
    [{ postmark: { auth: 'secret-without-user' } }, '`hooks.postmark.auth` must be `user:password`'],
    [{ postmark: { auth: 'user:short' } }, '`hooks.postmark.auth` must be `user:password`'],
    [{ mailgun: { key: 'short' } }, '`hooks.mailgun.key` must be the HTTP webhook signing key'],
    [{ mailgun: { key: 7 } }, '`hooks.mailgun.key` must be a text (got a number).'],
    [{ sendgrid: { key: 'AAAA' } }, '`hooks.sendgrid.key` must be the verification key'],
  ])('refuses %j', (given, message) => {
    const problems = hooksRule('hooks', given);
    expect(problems).toEqual([expect.stringContaining(message)]);
  });

  it('never shows a secret', () => {
    const secrets = { postmark: { auth: 'hush-hush' }, mailgun: { key: 'hush' }, sendgrid: { key: 'hush' } };
    expect(hooksRule('hooks', secrets).join(' ')).not.toContain('hush');
  });
});
