import type { InboxMessage } from './inbox-api';
import { TEXTS } from './texts';

export type MessageTab = 'html' | 'text' | 'headers' | 'source' | 'support' | 'attachments';

type Parts = Pick<InboxMessage, 'has_html' | 'unsupported' | 'attachments'>;

/** The tabs of a message: those with content. */
export function tabsOf({ has_html: hasHtml, unsupported, attachments }: Parts): { name: MessageTab; title: string }[] {
  return [
    ...(hasHtml ? [{ name: 'html' as const, title: TEXTS.tabs.html }] : []),
    { name: 'text', title: TEXTS.tabs.text },
    { name: 'headers', title: TEXTS.tabs.headers },
    { name: 'source', title: TEXTS.tabs.source },
    ...(unsupported.length > 0 ? [{ name: 'support' as const, title: TEXTS.tabs.support(unsupported.length) }] : []),
    ...(attachments.length > 0
      ? [{ name: 'attachments' as const, title: TEXTS.tabs.attachments(attachments.length) }]
      : []),
  ];
}

/** The tab in the address, if the message has it; else the first. */
export function tabOf(message: Parts, wanted: string | null): MessageTab {
  const tabs = tabsOf(message);
  return (tabs.find(({ name }) => name === wanted) ?? tabs[0])?.name ?? 'text';
}
