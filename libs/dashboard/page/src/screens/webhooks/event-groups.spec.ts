import { readFileSync } from 'node:fs';
import { EVENT_GROUPS, EVENT_TYPES, summaryOf, toggleGroup, toggleType } from './event-groups';

describe('event types', () => {
  it('are those that the API takes, each in one group', () => {
    const source = readFileSync(
      new URL('../../../../../emails/src/webhooks/endpoints/event-types.ts', import.meta.url),
      'utf8',
    );
    const known = [...source.matchAll(/^ {2}'([a-z._]+)',$/gm)].map(([, type]) => type);
    expect(known).toHaveLength(37);
    expect([...EVENT_TYPES].sort()).toEqual([...known].sort());
  });

  it('are chosen one by one and by group', () => {
    const [emails] = EVENT_GROUPS;
    if (!emails) throw new Error('no groups');
    const one = toggleType(new Set(['topic.created']), 'email.sent');
    expect([...one]).toEqual(['topic.created', 'email.sent']);
    const all = toggleGroup(one, emails);
    expect(all.size).toBe(emails.types.length + 1);
    expect([...toggleGroup(all, emails)]).toEqual(['topic.created']);
    expect([...toggleType(one, 'email.sent')]).toEqual(['topic.created']);
  });

  it('are summed up', () => {
    const events = ['topic.created', 'topic.updated', 'topic.deleted', 'email.sent'];
    expect(summaryOf(events)).toBe('1 of emails, all of topics');
  });
});
