import type { Random } from '../../support/basics/random.js';
import { someSize, someText } from './texts.js';

/** Parts of bodies. */
export interface Maker {
  random: Random;
  /** In every text and address of the account. */
  mark: string;
  /** Where webhooks go. */
  receiver: string;
  /** An id of the account's own, of objects below this path. */
  id(of: string): string;
}

const MESSAGE = 38_000_000;
const BODY = 900_000;
/** Templates that multiply, each with a value of up to 2,000 characters: `html` of one email has up to 10 MB. */
const PLACEHOLDERS = ['{{{A}}}', '{{A}}', '{{A}} ', '{{{A}}}\n.'];
const LONGEST_VALUE = 2_000;

/** A body that the route is likely to accept, by `METHOD /path`. */
export const BODIES: Readonly<Record<string, (maker: Maker) => unknown>> = {
  'POST /emails': (maker) => email(maker, someSize(maker.random, MESSAGE)),
  'POST /emails/batch': batch,
  'PATCH /emails/{id}': ({ random }) => ({
    scheduled_at: random.pick(['in 1 hour', 'tomorrow at 9am', '2096-01-01T00:00:00Z']),
  }),
  'POST /emails/{id}/resend': () => ({}),
  'POST /emails/actions': ({ random, id }) => ({
    action: random.pick(['retry', 'resend']),
    ...(random.chance(0.5) ? { ids: [id('emails')] } : { filter: { to: 'nobody@nowhere.test' } }),
  }),
  'POST /emails/{id}/share': ({ random }) => ({ expires_in: random.pick(['10m', '2 hours', '1 day']) }),
  'POST /erasures': ({ random, mark }) => ({ email: person(random, mark) }),
  'POST /topics': ({ random, mark }) => ({ name: mark, default_subscription: random.pick(['opt_in', 'opt_out']) }),
  'PATCH /topics/{id}': ({ mark }) => ({ name: mark }),
  'POST /contacts': contact,
  'PATCH /contacts/{id_or_email}': ({ random, mark }) => ({ first_name: mark, unsubscribed: random.chance(0.5) }),
  'PATCH /contacts/{id_or_email}/topics': ({ id }) => [{ id: id('topics'), subscription: 'opt_in' }],
  'POST /templates': template,
  'PATCH /templates/{id_or_alias}': template,
  'POST /webhooks': ({ receiver }) => ({
    endpoint: receiver,
    events: ['email.sent', 'email.delivered', 'contact.created'],
  }),
  'PATCH /webhooks/{id}': ({ random, receiver }) => ({
    endpoint: receiver,
    status: random.pick(['enabled', 'disabled']),
  }),
  'POST /api-keys': ({ random, mark }) => ({ name: mark, permission: random.pick(['full_access', 'sending_access']) }),
  'PATCH /api-keys/{id}': ({ mark }) => ({ name: mark }),
};

/** Creates an unpublished template with large emails. */
export function template({ random, mark }: Maker): object {
  const placeholder = random.pick(PLACEHOLDERS);
  const count = Math.min(Math.floor(BODY / placeholder.length), someSize(random, 140_000));
  return {
    name: mark,
    subject: mark,
    from: `from@${mark}.test`,
    html: `${mark} ${placeholder.repeat(count)}`,
    variables: [{ key: 'A', type: 'string', fallback_value: 'a' }],
  };
}

function email(maker: Maker, size: number): object {
  const { random, mark, id } = maker;
  const known = id('templates');
  const to = Array.from({ length: random.chance(0.8) ? 1 : random.int(2, 50) }, () => person(random, mark));
  const envelope = { from: `from@${mark}.test`, to };
  if (known && random.chance(0.3)) return { ...envelope, template: filled(maker, known) };
  const content = someText(random, mark, size);
  return {
    ...envelope,
    subject: mark,
    ...random.pick([{ text: content }, { html: content }, { text: mark, attachments: [file(content)] }]),
    ...(random.chance(0.1) && { scheduled_at: 'in 1 hour' }),
    ...(random.chance(0.1) && { tags: [{ name: 'a', value: 'b' }] }),
  };
}

function batch(maker: Maker): object[] {
  const { random, id } = maker;
  const length = random.pick([1, 2, 10, 100]);
  const known = id('templates');
  if (!known || random.chance(0.5)) return Array.from({ length }, () => email(maker, random.int(0, 2_000)));
  const to = person(random, maker.mark);
  return Array.from({ length }, () => ({ from: `from@${maker.mark}.test`, to, template: filled(maker, known) }));
}

function filled({ random }: Maker, id: string): object {
  return {
    id,
    variables: { A: random.pick(['a', '<', '.', '\n.']).repeat(LONGEST_VALUE).slice(0, random.int(1, LONGEST_VALUE)) },
  };
}

function contact({ random, mark }: Maker): object {
  return { email: person(random, mark), first_name: mark, properties: { plan: mark } };
}

function person(random: Random, mark: string): string {
  return `to${random.int(1, 200)}@${mark}.test`;
}

function file(content: string): object {
  return { filename: 'a.txt', content: Buffer.from(content).toString('base64') };
}
