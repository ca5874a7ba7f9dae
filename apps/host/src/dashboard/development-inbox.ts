import type { DashboardInbox } from 'nestjs-emails-dashboard';
import type { Inbox } from '../embedded/inbox/inbox.js';
import { SIMULATED_ADDRESSES } from '../embedded/inbox/recipient-answers.js';
import { PENDING } from '../embedded/inbox/signatures/signature-check.js';
import { releaserOf } from './release-message.js';

/** The local inbox for the page, visible only on this machine, like `/inbox`. @param releaseUrl a real SMTP server */
export function developmentInbox(inbox: Inbox, releaseUrl: string | undefined): DashboardInbox {
  return {
    list: () => inbox.list(),
    open: (id) => inbox.raw(id),
    remove: (id) => inbox.remove(id),
    clear: () => inbox.clear(),
    verify: async (id, limit) => (await inbox.signatures([id], limit)).get(id) ?? PENDING,
    ...(releaseUrl !== undefined && { release: releaserOf(inbox, releaseUrl) }),
    onlyThisMachine: true,
    hints: SIMULATED_ADDRESSES.map(({ address, effect }) => ({ address, effect })),
  };
}
