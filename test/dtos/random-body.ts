import type { Dto, FieldFacts } from '../../libs/emails/src/shared/validation/dto-fields.js';
import { fieldsOf } from '../../libs/emails/src/shared/validation/dto-fields.js';
import type { Random } from '../support/basics/random.js';

/** Values that are valid for some field, or look valid. */
const VALUES: readonly unknown[] = [
  null,
  '',
  [],
  {},
  true,
  false,
  0,
  7,
  -1.5,
  'a',
  ' ',
  'Name',
  'a\nb',
  'a\0b',
  'x'.repeat(51),
  'x'.repeat(256),
  'x'.repeat(2_049),
  'a@b.example',
  'Ann <ann@b.example>',
  'a@b.example, c@d.example',
  'nobody',
  ['a@b.example'],
  ['a@b.example', 'c@d.example'],
  ['a@b.example', 7],
  [[]],
  [{}],
  [null],
  '0192f0c1-2345-7abc-8def-0123456789ab',
  'in 10 minutes',
  '2026-11-21T05:26:01Z',
  '2026-11-21',
  'tomorrow',
  '2 hours',
  'opt_in',
  'public',
  'enabled',
  'full_access',
  'string',
  'number',
  'https://hooks.example/path',
  'http:\\\\hooks.example',
  ['email.delivered'],
  ['email.delivered', 'email.delivered'],
  ['email.read'],
  { id: 'welcome' },
  { id: 'welcome', variables: { A: 1, B: 'b' } },
  { id: 7 },
  { variables: {} },
  { A: 'b', C: 1 },
  { A: null },
  { A: { type: 'string', value: 'b' } },
  { 'X-A': 'b', 'X-C': 1 },
  { Date: 'b' },
  { type: 'Buffer', data: [1, 2] },
  '<a@b.example>',
  'cid:<logo>',
  'text/plain; charset=utf-8',
  "text/plain; name*=utf-8''a.txt",
  'multipart/mixed',
  'report.pdf',
  '../a',
  '{{A}}',
  '{{A',
];

/** Names that no class has. */
const STRANGE = ['surplus', 'nmae', 'a b', 'x'.repeat(50), 'length'];

/** A body for a class: of its fields, in any spelling, mostly with values that are valid for some field. */
export function randomBody(random: Random, dto: Dto, depth = 0): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, facts, isRequired } of fieldsOf(dto)) {
    for (const spelling of [name, ...(facts.spellings ?? [])]) {
      const isThere = spelling === name ? (isRequired ? 0.95 : 0.3) : 0.15;
      if (random.chance(isThere)) body[spelling] = randomValue(random, name, facts, depth);
    }
  }
  if (random.chance(0.05)) body[random.pick(STRANGE)] = random.pick(VALUES);
  return body;
}

function randomValue(random: Random, name: string, facts: FieldFacts, depth: number): unknown {
  const inner = facts.type ?? facts.each;
  if (inner && depth < 2 && random.chance(0.8)) {
    if (facts.type) return randomBody(random, inner, depth + 1);
    return Array.from({ length: random.int(0, 3) }, () => randomBody(random, inner, depth + 1));
  }
  const fitting = FITTING[name];
  return fitting && random.chance(0.8) ? random.pick(fitting) : random.pick(VALUES);
}

const MAILBOXES = ['a@b.example', ['a@b.example'], ['Ann <ann@b.example>', 'c@d.example'], null, []];
const ID = '0192f0c1-2345-7abc-8def-0123456789ab';

/** Values that most fields of a name accept. */
const FITTING: Readonly<Record<string, readonly unknown[]>> = {
  from: ['a@b.example', 'Ann <ann@b.example>'],
  to: MAILBOXES.slice(0, 3),
  cc: MAILBOXES,
  bcc: MAILBOXES,
  reply_to: MAILBOXES,
  recipients: MAILBOXES,
  email: ['a@b.example', ' a@b.example'],
  emails: [['a@b.example'], ['a@b.example', 'c@d.example']],
  origin: ['bounce', 'complaint', 'manual'],
  subject: ['Hello', '=?utf-8?q?a?=', 'Hello {{A}}'],
  html: ['<p>Hello</p>', '{{A}}', ''],
  text: ['Hello', ''],
  headers: [{ 'X-A': 'b' }, { 'X-A': 1 }, {}],
  tags: [{ a: 'b', c: '' }, [{ name: 'a', value: 'b' }], [{ name: 'a' }, { name: 'a' }], { name: 'a' }],
  variables: [{}, { A: 'b' }, { A: 1 }],
  properties: [{ A: 'b' }, { A: null }, { A: { type: 'number', value: 1 } }],
  name: ['Name', 'a', 'a-b'],
  key: ['A', 'name'],
  value: ['b', '', null],
  type: ['string', 'number'],
  fallback_value: ['b', 1, null],
  content: ['YQ==', [1, 2]],
  path: ['https://files.example/a.pdf'],
  filename: ['report.pdf'],
  content_type: ['application/pdf', "text/plain; name*=utf-8''a.txt"],
  content_id: ['logo', 'cid:logo', '<logo>'],
  scheduled_at: ['2026-11-21T05:26:01Z', 'in 10 minutes'],
  priority: ['now', 'bulk'],
  message_id: ['<a@b.example>'],
  topic_id: [ID],
  id: [ID, 'welcome'],
  ids: [[ID]],
  alias: ['welcome'],
  subscription: ['opt_in', 'opt_out'],
  default_subscription: ['opt_in', 'opt_out'],
  visibility: ['public', 'private'],
  permission: ['full_access', 'sending_access'],
  endpoint: ['https://hooks.example/path'],
  events: [['email.delivered'], ['email.delivered', 'email.bounced']],
  status: ['enabled', 'disabled'],
  unsubscribed: [true, false],
  expires_in: ['10m', '2 hours'],
  domain_id: [null, ''],
};
