import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { MessageStage, StagedMessage, StageResult } from '../../emails/ports/message-stage.js';
import { parseAddress } from '../../shared/mailbox/address.js';
import { domainOf } from '../../shared/mailbox/domain-of.js';
import { inTime } from '../../shared/work/in-time.js';
import { type KnownEnvelope, largeMessageTo, messageTo } from './check-outcomes.js';
import type { ContractCase, Make } from './contract-case.js';

const TIMES = 10;
/** Milliseconds. */
const PATIENCE = 3_000;
const LONGEST_LINE = 998;
const FIELD_NAME = /^[!-9;-~]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e]*(?:\r\n[\t ]+[\x21-\x7e][\t\x20-\x7e]*)*$/;

/** A message that the stage applies to. */
export interface MessageStageExamples extends KnownEnvelope {
  /** Default: an unknown account. */
  accountId?: string;
  /** Default: `{ name: 'mx.contract.example', kind: 'smtp' }`. */
  transport?: { name: string; kind: string };
}

/** Checks the promises that `EmailsModule` relies on when it applies a message stage. */
export function messageStageContract(
  make: Make<MessageStage>,
  {
    accountId = randomUUID(),
    transport = { name: 'mx.contract.example', kind: 'smtp' },
    ...envelope
  }: MessageStageExamples,
): ContractCase[] {
  const apply = async (stage: MessageStage, raw: StagedMessage['raw']) => {
    const fromDomain = domainOf(envelope.from);
    const { recipients } = envelope;
    const email = { accountId, emailId: randomUUID(), topicId: null };
    const about = { ...email, fromDomain, transport, recipients, envelope };
    const before = Buffer.isBuffer(raw) ? Buffer.from(raw) : undefined;
    const applied = (async () => stage.apply({ ...about, raw }))();
    checkResult(await inTime(applied, PATIENCE, () => assert.fail('A stage must return within 3 seconds.')));
    if (before) assert.ok(before.equals(raw as Buffer), 'The bytes of the message must stay as they were.');
  };
  return [
    {
      name: 'returns headers and an envelope sender that can be sent',
      run: async () => apply(await make(), messageTo(envelope, 'one').raw),
    },
    {
      name: 'accepts a large message, which it may open',
      run: async () => {
        const { raw } = largeMessageTo(envelope);
        const whole = await buffer(raw());
        await apply(await make(), raw);
        assert.ok(whole.equals(await buffer(raw())), 'The message must be the same when it is opened again.');
      },
    },
    {
      name: 'accepts many messages at the same time',
      run: async () => {
        const stage = await make();
        const messages = Array.from({ length: TIMES }, (_, index) => messageTo(envelope, `message ${index}`).raw);
        await Promise.all(messages.map((raw) => apply(stage, raw)));
      },
    },
    {
      name: 'ends with a message that cannot be read',
      run: async () => {
        const stage = await make();
        await apply(stage, largeMessageTo(envelope, true).raw).catch((error: unknown) => {
          if (error instanceof assert.AssertionError) throw error;
        });
      },
    },
  ];
}

function checkResult(result: StageResult | undefined): void {
  if (result === undefined) return;
  assert.ok(typeof result === 'object' && result !== null, 'The result must be an object or undefined.');
  const { headers = [], envelopeFrom = '', dsn = {}, ...others } = result;
  assert.deepEqual(Object.keys(others), [], 'The result has `headers`, `envelopeFrom` and `dsn`, and no other keys.');
  assert.ok(typeof dsn === 'object' && dsn !== null, '`dsn` must be an object.');
  assert.ok(Array.isArray(headers), '`headers` must be a list of names and values.');
  for (const [name, value] of headers) {
    assert.match(String(name), FIELD_NAME, 'A header must have a name of RFC 5322.');
    assert.match(String(value), FIELD_VALUE, `\`${name}\` must be ASCII, folded by CR LF and a blank.`);
    const isShort = `${name}: ${value}`.split('\r\n').every(({ length }) => length <= LONGEST_LINE);
    assert.ok(isShort, `A line of \`${name}\` has up to ${LONGEST_LINE} octets.`);
  }
  if (envelopeFrom !== '') parseAddress(envelopeFrom);
}
