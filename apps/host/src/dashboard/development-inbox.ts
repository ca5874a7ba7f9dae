import type { DashboardInbox } from 'nestjs-emails-dashboard';
import type { Inbox } from '../embedded/inbox/inbox.js';

/** The local inbox for the page, visible only on this machine, like `/inbox`. */
export function developmentInbox(inbox: Inbox): DashboardInbox {
  return {
    list: () => inbox.list(),
    open: (id) => inbox.raw(id),
    remove: (id) => inbox.remove(id),
    clear: () => inbox.clear(),
    onlyThisMachine: true,
    hints: [
      { address: 'bounced…@example.com', effect: 'It is refused permanently: the email bounces.' },
      {
        address: 'delayed…@example.com',
        effect: 'It is deferred twice, then accepted: the email is delayed, then delivered.',
      },
    ],
  };
}
