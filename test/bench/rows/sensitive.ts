import { postRequests } from '../support/message.js';
import { type Place, type Stage, TOKEN } from '../support/stage.js';
import { costFigures, whole } from './cost.js';
import { delivered, preload } from './delivery.js';
import { posted, together, warmUp, withSide } from './post.js';
import { inSlices, inTurn, quotient, type Row, SLICE } from './row.js';

const SENSITIVE = { sensitive: true };
type Kind = 'without' | 'plain' | 'sensitive';

async function postCosts(stage: Stage, seconds: number, turn: number) {
  const place = await stage.place('redis');
  const requests = { plain: postRequests(TOKEN), sensitive: postRequests(TOKEN, 100, SENSITIVE) };
  const slices = await withSide(stage.ours(place, 'api'), async (side) => {
    await warmUp(stage, side, seconds);
    return inSlices(turn, seconds, {
      plain: () => posted(stage, side, SLICE, undefined, requests.plain),
      sensitive: () => posted(stage, side, SLICE, undefined, requests.sensitive),
    });
  });
  await place.drop();
  return {
    'POST plain µs': together(slices.map(({ plain }) => plain)).all,
    'POST sensitive µs': together(slices.map(({ sensitive }) => sensitive)).all,
  };
}

async function deliveryCost(stage: Stage, emails: number, kind: Kind) {
  const place: Place = await stage.place('redis');
  const requests = postRequests(TOKEN, 100, kind === 'sensitive' ? SENSITIVE : {});
  await preload(stage, stage.ours(place, 'api'), emails, requests);
  // A process does not start without the trigger.
  const worker = async () => {
    const side = await stage.ours(place, 'worker');
    if (kind === 'without') await place.query('ALTER TABLE nestjs_emails.deliveries DISABLE TRIGGER clear_sensitive');
    return side;
  };
  const { cost } = await delivered(stage, () => [worker()], emails);
  await place.drop();
  return cost;
}

/** The cost of sensitive mail for those who send none, and for those who do. */
export const sensitiveCost: Row = {
  name: 'sensitive-cost',
  title: 'Processor time of an email, sensitive, plain, and without the trigger that clears content, Redis queue',
  ratios: [
    {
      what: 'delivery of plain mail, with / without the trigger',
      of: quotient('plain µs', 'without µs'),
      atMost: 1.03,
    },
    { what: 'delivery, sensitive / plain', of: quotient('sensitive µs', 'plain µs') },
    { what: 'POST, sensitive / plain', of: quotient('POST sensitive µs', 'POST plain µs'), atMost: 1.05 },
  ],
  async round(stage, { seconds, emails }, turn) {
    const posts = await postCosts(stage, seconds, turn);
    const measure = (kind: Kind) => () => deliveryCost(stage, emails, kind);
    const costs = await inTurn(turn, {
      without: measure('without'),
      plain: measure('plain'),
      sensitive: measure('sensitive'),
    });
    return {
      ...posts,
      'without µs': whole(costs.without),
      'plain µs': whole(costs.plain),
      ...costFigures('sensitive', costs.sensitive),
    };
  },
};
