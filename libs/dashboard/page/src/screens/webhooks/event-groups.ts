/** Event types of a webhook, as they are chosen. */
export interface EventGroup {
  title: string;
  types: readonly string[];
}

/** All event types that the API takes, by what they are of. */
export const EVENT_GROUPS: readonly EventGroup[] = [
  {
    title: 'Emails',
    types: [
      'email.sent',
      'email.scheduled',
      'email.delivered',
      'email.delivery_delayed',
      'email.complained',
      'email.bounced',
      'email.opened',
      'email.clicked',
      'email.received',
      'email.failed',
      'email.suppressed',
    ],
  },
  { title: 'Contacts', types: ['contact.created', 'contact.updated', 'contact.deleted', 'contact.topics.updated'] },
  { title: 'Topics', types: ['topic.created', 'topic.updated', 'topic.deleted'] },
  { title: 'Suppressions', types: ['suppression.added', 'suppression.removed'] },
  { title: 'Domains', types: ['domain.created', 'domain.updated', 'domain.deleted'] },
  {
    title: 'Inboxes',
    types: [
      'inbox.created',
      'inbox.updated',
      'inbox.deleted',
      'inbox.thread.created',
      'inbox.thread.folder.updated',
      'inbox.thread.assigned',
      'inbox.thread.unassigned',
      'inbox.thread.labels.updated',
      'inbox.email.received',
      'inbox.email.sent',
      'inbox.draft.created',
      'inbox.draft.updated',
      'inbox.draft.sent',
      'inbox.draft.deleted',
    ],
  },
];

/** In the order in which they are shown. */
export const EVENT_TYPES: readonly string[] = EVENT_GROUPS.flatMap(({ types }) => types);

/** With all of a group, or with none of it where all were chosen. */
export function toggleGroup(chosen: ReadonlySet<string>, { types }: EventGroup): Set<string> {
  const isWhole = types.every((type) => chosen.has(type));
  const others = [...chosen].filter((type) => !types.includes(type));
  return new Set(isWhole ? others : [...others, ...types]);
}

/** With one of them, or without. */
export function toggleType(chosen: ReadonlySet<string>, type: string): Set<string> {
  const next = new Set(chosen);
  if (!next.delete(type)) next.add(type);
  return next;
}

/** "all emails’ events", "3 of emails, 1 of contacts". */
export function summaryOf(events: readonly string[]): string {
  const parts = EVENT_GROUPS.flatMap(({ title, types }) => {
    const count = types.filter((type) => events.includes(type)).length;
    if (count === 0) return [];
    return [`${count === types.length ? 'all' : count} of ${title.toLowerCase()}`];
  });
  return parts.join(', ');
}
