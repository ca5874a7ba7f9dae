import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { call, type Place, type Stage } from '../support/stage.js';
import { costFigures, whole } from './cost.js';
import { DELIVERY, delivered, preload } from './delivery.js';
import { withSide } from './post.js';
import { type Figures, figure, inTurn, quotient, type Row } from './row.js';

/** The domain of the sender of every side. */
const DOMAIN = 'shop.example';

/** Makes the sender's domain one whose records are there. */
const VERIFY = `
  WITH keys AS (UPDATE nestjs_emails.domain_keys SET verified_at = now())
  UPDATE nestjs_emails.domains SET status = 'verified', next_check_at = NULL`;

async function makeDomain(stage: Stage, place: Place): Promise<void> {
  await withSide(stage.ours(place, 'api'), async (side) => {
    await call(side, 'POST', '/domains', { name: DOMAIN });
  });
  await place.query(VERIFY);
}

async function oursSigns(stage: Stage, emails: number, isSigned: boolean) {
  const place = await stage.place('redis');
  if (isSigned) await makeDomain(stage, place);
  const loopDelay = stage.file('loop');
  await preload(stage, stage.ours(place, 'api'), emails);
  const worker = () => [stage.ours(place, 'worker', { loopDelay })];
  const result = await delivered(stage, worker, emails, (workers) => {
    for (const { pid } of workers) process.kill(pid, 'SIGUSR2');
  });
  await place.drop();
  return { ...result, p99: (JSON.parse(readFileSync(loopDelay, 'utf8')) as { p99: number }).p99 };
}

/** Processor time of one RSA-2048 signature by OpenSSL, in microseconds. */
function rsaSignature(): number {
  const said = execFileSync('openssl', ['speed', '-seconds', '2', 'rsa2048'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const seconds = Number(/rsa\s+2048 bits\s+([\d.]+)s/.exec(said)?.[1]);
  if (!(seconds > 0)) throw new Error(`openssl speed said: ${said}`);
  return seconds * 1e6;
}

/** Signatures by one RSA-2048 key, in comparison to nodemailer's pool with its option `dkim`, and to mail without. */
export const deliverySigned: Row = {
  name: 'delivery-signed',
  title: 'Delivery with a DKIM signature (RSA-2048), and without, Redis queue',
  short: { seconds: 45, about: ['libs/emails/src/domains/signing/', 'libs/emails/src/domains/keys/', ...DELIVERY] },
  ratios: [
    { what: 'ours / nodemailer', of: quotient('ours/s', 'nodemailer/s'), atLeast: 2, guard: 1.4 },
    {
      what: 'more processor time than unsigned / one signature by openssl speed',
      of: (figures: Figures) =>
        (figure('ours CPU µs')(figures) - figure('unsigned CPU µs')(figures)) / figure('openssl µs')(figures),
      atMost: 1.8,
      alone: true,
    },
    {
      what: 'p99 of the event loop, signed / unsigned',
      of: quotient('loop p99 ms', 'unsigned loop p99 ms'),
      atMost: 1.2,
      alone: true,
    },
  ],
  async round(stage, { emails }, turn) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const { nodemailer, unsigned, ours } = await inTurn(turn, {
      nodemailer: () => delivered(stage, () => [stage.nodemailer({ count: emails }, pem)], emails),
      unsigned: () => oursSigns(stage, emails, false),
      ours: () => oursSigns(stage, emails, true),
    });
    return {
      'nodemailer/s': nodemailer.rate,
      'unsigned/s': unsigned.rate,
      'ours/s': ours.rate,
      'nodemailer CPU µs': nodemailer.cost.host,
      'unsigned CPU µs': whole(unsigned.cost),
      ...costFigures('ours CPU', ours.cost),
      'openssl µs': rsaSignature(),
      'unsigned loop p99 ms': unsigned.p99,
      'loop p99 ms': ours.p99,
    };
  },
};
