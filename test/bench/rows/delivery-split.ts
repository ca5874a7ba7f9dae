import { shapedRequests } from '../support/message.js';
import { type Stage, TOKEN } from '../support/stage.js';
import { costFigures, whole } from './cost.js';
import { delivered, preload } from './delivery.js';
import { inTurn, quotient, type Row } from './row.js';

/** Recipients of each split email. */
const RECIPIENTS = 10;

/** Delivers `messages`, each to one recipient, of emails with this many recipients. */
async function splits(stage: Stage, recipients: number, messages: number) {
  const place = await stage.place('redis');
  const variant = { recipientsPerMessage: 1 } as const;
  await preload(stage, stage.ours(place, 'api', variant), messages / recipients, shapedRequests(TOKEN, { recipients }));
  const result = await delivered(stage, () => [stage.ours(place, 'worker', variant)], messages);
  await place.drop();
  return result;
}

/** One message for each recipient of an email, and as many emails with one recipient. */
export const deliverySplit: Row = {
  name: 'delivery-split',
  title: `Messages of emails that are split for ${RECIPIENTS} recipients, and as many emails with one, Redis queue`,
  short: { seconds: 30, about: ['libs/emails/src/emails/deliver/split/', 'test/bench/rows/delivery-split.ts'] },
  ratios: [
    { what: 'split / single', of: quotient('split/s', 'single/s'), atLeast: 0.6, guard: 0.45 },
    { what: 'processor time, split / single', of: quotient('split CPU µs', 'single CPU µs'), alone: true },
  ],
  async round(stage, { emails }, turn) {
    const messages = Math.ceil(emails / RECIPIENTS) * RECIPIENTS;
    const { single, split } = await inTurn(turn, {
      single: () => splits(stage, 1, messages),
      split: () => splits(stage, RECIPIENTS, messages),
    });
    return {
      'single/s': single.rate,
      'split/s': split.rate,
      'single CPU µs': whole(single.cost),
      ...costFigures('split CPU', split.cost),
    };
  },
};
