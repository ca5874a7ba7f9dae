import type { Email } from '../../../../api/types';

/** The body of `POST /emails` that sends the same email again, except attachments and headers, which its record lacks. */
export function requestOf(email: Email): Record<string, unknown> {
  const { from, to, cc, bcc, reply_to, subject, html, text, tags, topic_id, scheduled_at, last_event } = email;
  const given = {
    from,
    to,
    cc,
    bcc,
    reply_to,
    subject,
    html,
    text,
    tags: tags.map(({ name, value }) => ({ name, value })),
    topic_id,
    scheduled_at: last_event === 'scheduled' ? scheduled_at : null,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => isGiven(value)));
}

function isGiven(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}
