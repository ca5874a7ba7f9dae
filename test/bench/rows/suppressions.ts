import type { Place, Stage, Variant } from '../support/stage.js';
import { costFigures } from './cost.js';
import { DELIVERY, oursDelivers } from './delivery.js';
import { inTurn, quotient, type Row } from './row.js';

/** $1: number. Addresses of the account that gets no mail, none of them a recipient of this run. */
const FILL = `
  INSERT INTO nestjs_emails.suppressions (id, account_id, email_key, email, origin, reason)
  SELECT gen_random_uuid(), accounts.id::text, 'gone' || n || '@left.example', 'gone' || n || '@left.example', 'bounce',
    '550 5.1.1 The email account that you tried to reach does not exist'
  FROM generate_series(1, $1::integer) AS n, (SELECT id FROM nestjs_emails.accounts LIMIT 1) AS accounts`;

async function fill(stage: Stage, place: Place, count: number): Promise<void> {
  // The account is made at the first start.
  await (await stage.ours(place, 'api')).stop();
  await place.query('ALTER TABLE nestjs_emails.suppressions DISABLE TRIGGER USER');
  await place.query(FILL, [count]);
  await place.query('ALTER TABLE nestjs_emails.suppressions ENABLE TRIGGER USER');
  await place.query('VACUUM ANALYZE nestjs_emails.suppressions');
}

/** The cost of a large suppression list, of return paths and references, for mail that nobody refuses. */
export const suppressionsCost: Row = {
  name: 'suppressions',
  title: 'Delivery with a suppression list of a million addresses and return paths, and without feedback, Redis queue',
  short: { seconds: 45, about: ['libs/emails/src/feedback/', ...DELIVERY] },
  ratios: [
    { what: 'with / without', of: quotient('with/s', 'without/s'), atLeast: 0.95, alone: true },
    {
      what: 'processor time, with / without',
      of: quotient('with CPU µs', 'without CPU µs'),
      atMost: 1.06,
      alone: true,
    },
  ],
  async round(stage, { emails, rows }, turn) {
    const measured = async (variant: Variant, filled: number) => {
      const place = await stage.place('redis');
      if (filled > 0) await fill(stage, place, filled);
      // Pages that the rows have left to be written are no cost of delivery.
      await place.query('CHECKPOINT');
      const result = await oursDelivers(stage, place, emails, 1, variant);
      await place.drop();
      return result;
    };
    const { without, with: listed } = await inTurn(turn, {
      without: () => measured({ hasFeedback: false }, 0),
      with: () => measured({ bounceDomain: 'bounces.test' }, rows),
    });
    return {
      'without/s': without.rate,
      'with/s': listed.rate,
      ...costFigures('without CPU', without.cost),
      ...costFigures('with CPU', listed.cost),
    };
  },
};
