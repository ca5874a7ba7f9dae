import type { Features } from '../../api/session';
import { actionGroups, actorOf, changedBy, sentenceOf } from './actions';

const ID = '0192f0c1-2345-7abc-8def-0123456789ab';
const ALL = {
  emails: true,
  topics: true,
  contacts: true,
  suppressions: true,
  templates: true,
  webhooks: true,
} as Features;

describe('sentenceOf', () => {
  it.each([
    ['email.cancel', 1, 'Canceled an email'],
    ['email.cancel', 312, 'Canceled 312 emails'],
    ['webhook.replay', 0, 'Replayed 0 failed events of a webhook'],
    ['invoice.pay', 1, 'invoice.pay'],
    ['constructor.name', 1, 'constructor.name'],
  ])('of %s for %d is: %s', (action, count, expected) => {
    expect(sentenceOf({ action, count })).toBe(expected);
  });
});

describe('changedBy', () => {
  it.each([
    ['email.resend', `/emails/${ID}`, 'Email 0192f0c1…89ab'],
    ['webhook.test', `/webhooks/${ID}`, 'Webhook 0192f0c1…89ab'],
    ['suppression.create', `/suppressions/${ID}`, 'Suppression 0192f0c1…89ab'],
    ['suppression.undo', undefined, 'Suppression 0192f0c1…89ab'],
    ['topic.delete', undefined, 'Topic 0192f0c1…89ab'],
    ['api_key.update', undefined, 'API key 0192f0c1…89ab'],
    ['webhook_event.replay', undefined, 'Event 0192f0c1…89ab'],
    ['constructor.name', undefined, 'constructor 0192f0c1…89ab'],
  ])('of %s leads to %s', (action, href, title) => {
    expect(changedBy({ action, ids: [ID] }, ALL)).toEqual([{ id: ID, title, href }]);
  });

  it('names keys that still exist', () => {
    const keys = new Map([[ID, 'Backend']]);
    expect(changedBy({ action: 'api_key.update', ids: [ID] }, ALL, keys)).toMatchObject([{ title: 'API key Backend' }]);
  });

  it('has no links to screens that the host does not have', () => {
    expect(changedBy({ action: 'topic.update', ids: [ID] }, { ...ALL, topics: false })).toMatchObject([
      { href: undefined },
    ]);
  });
});

describe('actorOf', () => {
  const keys = new Map([[ID, 'Back\u202eend']]);

  it.each([
    [ID, keys, 'By API key Back\ufffdend'],
    ['f0000000-0000', keys, 'By a deleted API key (f0000000)'],
    [ID, undefined, 'By API key 0192f0c1'],
    [null, keys, 'By somebody signed in at this host'],
  ])('names the key %s', (id, names, expected) => {
    expect(actorOf(id, names)).toBe(expected);
  });
});

describe('actionGroups', () => {
  it('has every action once, those of events among those of webhooks', () => {
    const groups = actionGroups();
    const names = groups.flatMap(({ actions }) => actions);
    expect(new Set(names).size).toBe(names.length);
    expect(groups.find(({ group }) => group === 'Webhooks')?.actions).toContain('webhook_event.replay');
    expect(groups.length).toBe(new Set(groups.map(({ group }) => group)).size);
  });
});
