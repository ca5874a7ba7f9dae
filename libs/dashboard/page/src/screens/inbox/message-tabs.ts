import type { InboxMessage } from './inbox-api';

export type MessageTab = 'html' | 'text' | 'headers' | 'source' | 'attachments';

type Parts = Pick<InboxMessage, 'has_html' | 'attachments'>;

/** The tabs of a message: those with content. */
export function tabsOf({ has_html: hasHtml, attachments }: Parts): { name: MessageTab; title: string }[] {
  return [
    ...(hasHtml ? [{ name: 'html' as const, title: 'HTML' }] : []),
    { name: 'text', title: 'Text' },
    { name: 'headers', title: 'Headers' },
    { name: 'source', title: 'Source' },
    ...(attachments.length > 0 ? [{ name: 'attachments' as const, title: `Attachments (${attachments.length})` }] : []),
  ];
}

/** The tab in the address, if the message has it; else the first. */
export function tabOf(message: Parts, wanted: string | null): MessageTab {
  const tabs = tabsOf(message);
  return (tabs.find(({ name }) => name === wanted) ?? tabs[0])?.name ?? 'text';
}
