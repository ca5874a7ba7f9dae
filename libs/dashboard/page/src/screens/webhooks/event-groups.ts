import { WEBHOOK_EVENTS } from 'nestjs-emails/facts';
import { TEXTS } from './texts';

/** Selected event types of a webhook. */
export interface EventGroup {
  title: string;
  types: readonly string[];
}

/** All event types of the API, by subject. */
export const EVENT_GROUPS: readonly EventGroup[] = Object.entries(WEBHOOK_EVENTS).map(([title, types]) => ({
  title,
  types,
}));

/** In the order in which they are shown. */
export const EVENT_TYPES: readonly string[] = EVENT_GROUPS.flatMap(({ types }) => types);

/** Selects all of a group, or none if all were selected. */
export function toggleGroup(chosen: ReadonlySet<string>, { types }: EventGroup): Set<string> {
  const isWhole = types.every((type) => chosen.has(type));
  const others = [...chosen].filter((type) => !types.includes(type));
  return new Set(isWhole ? others : [...others, ...types]);
}

/** Toggles one of them. */
export function toggleType(chosen: ReadonlySet<string>, type: string): Set<string> {
  const next = new Set(chosen);
  if (!next.delete(type)) next.add(type);
  return next;
}

/** "all emails’ events", "3 of emails, 1 of contacts". */
export function summaryOf(events: readonly string[]): string {
  const parts = EVENT_GROUPS.map(({ title, types }) => {
    const count = types.filter((type) => events.includes(type)).length;
    return { group: title.toLowerCase(), count, isAll: count === types.length };
  });
  return TEXTS.summary(parts.filter(({ count }) => count > 0));
}
