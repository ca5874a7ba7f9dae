import type { DashboardInbox } from 'nestjs-emails-dashboard';
import type { Inbox } from '../embedded/inbox/inbox.js';

/** The local inbox as the page shows it: to who sits at this machine, as `/inbox` is. */
export function developmentInbox(inbox: Inbox): DashboardInbox {
  return {
    list: () => inbox.list(),
    open: (id) => inbox.raw(id),
    remove: (id) => inbox.remove(id),
    clear: () => inbox.clear(),
    onlyThisMachine: true,
    hints: [
      { address: 'bounced…@example.com', effect: 'It is refused for good: the email bounces.' },
      {
        address: 'delayed…@example.com',
        effect: 'It is put off twice, then taken: the email is delayed, then delivered.',
      },
    ],
  };
}
