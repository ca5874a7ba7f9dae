import { PATIENCE } from '../../support/basics/patience.mjs';
import { within } from '../../support/basics/wait-for.js';
import { type Draft, type Mail, senderOf } from '../world/draft.js';
import type { World } from '../world/world.js';

/**
 * Sends emails and holds each on its connection, before its message is sent, until `released`. Resolves when all are
 * held.
 */
export function holdInSession(world: World, drafts: readonly Draft[], released: Promise<void>): Promise<Mail[]> {
  return Promise.all(
    drafts.map(async (draft) => {
      const mail = world.draft(draft);
      const held = new Promise<void>((reached) => {
        world.sink.plan(senderOf(mail.tag), [{ stage: 'data', action: { kind: 'hold', reached, released } }]);
      });
      await world.client.send(mail);
      await within(held, PATIENCE, 'Waiting for emails to be on their connections');
      return mail;
    }),
  );
}

/** A promise with its resolve function. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
