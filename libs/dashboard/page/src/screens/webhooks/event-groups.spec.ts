import { WEBHOOK_EVENT_TYPES } from 'nestjs-emails/webhooks';
import { EVENT_GROUPS, EVENT_TYPES, summaryOf, toggleGroup, toggleType } from './event-groups';

describe('event types', () => {
  it('are those of the API, each in one group', () => {
    expect(EVENT_TYPES).toHaveLength(37);
    expect(new Set(EVENT_TYPES)).toEqual(new Set(WEBHOOK_EVENT_TYPES));
  });

  it('are selected one by one and by group', () => {
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
