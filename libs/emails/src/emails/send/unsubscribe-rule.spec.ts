import { UnsubscribeRule } from './unsubscribe-rule.js';

const links = { linkOf: () => 'https://mail.test/u' as string | undefined };
const EMAIL = {
  id: 'e1',
  accountId: 'one',
  html: '<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">x</a>' as string | null,
  text: null as string | null,
  inTemplate: undefined as number | undefined,
  topicId: 't1' as string | null,
  recipients: ['a@to.test'],
};

const check =
  (email: Partial<typeof EMAIL>, rule = new UnsubscribeRule(links)) =>
  () =>
    rule.check({ ...EMAIL, ...email });
const refusal = (message: string) =>
  expect.objectContaining({ statusCode: 422, message: expect.stringContaining(message) });

describe('UnsubscribeRule', () => {
  it('accepts a placeholder for one recipient of a topic', () => {
    expect(check({})).not.toThrow();
    expect(check({ html: null, text: '{{{ UNSUBSCRIBE_URL }}}' })).not.toThrow();
  });

  it.each([
    [{ topicId: null }, 'needs `topic_id`'],
    [{ recipients: ['a@to.test', 'b@to.test'] }, 'to one recipient'],
    [
      { html: '{{{UNSUBSCRIBE_URL}}}'.repeat(60), text: '{{{UNSUBSCRIBE_URL}}}'.repeat(41) },
      'up to 100 times (got 101)',
    ],
    [{ inTemplate: 1, topicId: null }, 'needs `topic_id`'],
  ])('refuses %.40j', (email, message) => {
    expect(check(email)).toThrow(refusal(message));
  });

  it('refuses what would go out as it is: no links, or no address and secret', () => {
    expect(check({}, new UnsubscribeRule(undefined))).toThrow(refusal('makes no unsubscribe links'));
    expect(check({}, new UnsubscribeRule({ linkOf: () => undefined }))).toThrow(refusal('`PUBLIC_URL`'));
  });

  it('accepts several recipients that each get a message of their own', () => {
    const several = { recipients: ['a@to.test', 'b@to.test'] };
    for (const option of [1, 'topics'] as const)
      expect(check(several, new UnsubscribeRule(links, option))).not.toThrow();
    expect(check(several, new UnsubscribeRule(links, 'all'))).toThrow(refusal('to one recipient'));
  });

  it('lets everything else pass, in any spelling', () => {
    for (const html of [
      null,
      '',
      '{{UNSUBSCRIBE_URL}}',
      '{{{unsubscribe_url}}}',
      '{{{MY_UNSUBSCRIBE_URL}}}',
      '{{{UNSUBSCRIBE_URL}}',
    ]) {
      expect(check({ html, topicId: null }, new UnsubscribeRule(undefined))).not.toThrow();
    }
  });

  it('does not count values of variables: anybody may have such a name', () => {
    expect(check({ inTemplate: 0, topicId: null })).not.toThrow();
  });
});
