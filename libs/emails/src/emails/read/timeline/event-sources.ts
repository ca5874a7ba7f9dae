/** Source of an event. */
export const EVENT_SOURCES = [
  'api',
  'smtp',
  'dsn',
  'feedback',
  'relay',
  'suppression',
  'policy',
  'topic',
  'unsubscribe',
  'tracking',
] as const;
export type EventSource = (typeof EVENT_SOURCES)[number];
