import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { BuiltMessage, RecipientOutcome } from '../../emails/ports/email-transport.js';

/** An envelope for whose recipients the next hop accepts messages. */
export interface KnownEnvelope {
  from: string;
  recipients: readonly string[];
}

const OUTCOMES: readonly unknown[] = ['accepted', 'deferred', 'rejected', 'unknown'];
const LINE = `${'x'.repeat(70)}\r\n`;

/** @param subject distinguishes messages */
export function messageTo({ from, recipients }: KnownEnvelope, subject: string): BuiltMessage & { raw: Buffer } {
  const raw = Buffer.from(`From: <${from}>\r\nSubject: ${subject}\r\n\r\n${LINE.repeat(3)}`);
  return { from, recipients, needsSmtpUtf8: false, raw };
}

/** A message of 700 kB that can be opened again. @param breaks whether reading fails halfway */
export function largeMessageTo(envelope: KnownEnvelope, breaks = false): BuiltMessage & { raw: () => Readable } {
  function* pieces(head: Buffer) {
    yield head;
    for (let piece = 0; piece < 100; piece++) {
      if (breaks && piece === 50) throw new Error('The content cannot be read to its end.');
      yield Buffer.from(LINE.repeat(100));
    }
  }
  const { raw: head, ...message } = messageTo(envelope, 'large');
  return { ...message, raw: () => Readable.from(pieces(head), { objectMode: false }) };
}

/** Checks that there is exactly one well-formed outcome for each recipient, of any kind. */
export function checkOutcomes(answer: unknown, { recipients }: KnownEnvelope): RecipientOutcome[] {
  assert.ok(Array.isArray(answer), `The outcomes must be an array, not ${typeof answer}.`);
  const outcomes = answer as RecipientOutcome[];
  const addresses = outcomes.map((outcome) => outcome?.address).toSorted();
  assert.deepEqual(addresses, recipients.toSorted(), 'There must be one outcome for each recipient.');
  for (const { address, outcome, reply, retryAfter } of outcomes) {
    assert.ok(OUTCOMES.includes(outcome), `The outcome of ${address} must be one of ${OUTCOMES.join(', ')}.`);
    assert.equal(typeof reply?.text, 'string', `The reply for ${address} must have a text.`);
    assert.ok(reply.code === undefined || Number.isInteger(reply.code), `The code for ${address} must be whole.`);
    assert.ok(retryAfter === undefined || retryAfter > 0, `What ${address} is to wait must be above zero.`);
  }
  return outcomes;
}

/** Checks in addition that each outcome is the expected one. */
export function checkAll(answer: unknown, envelope: KnownEnvelope, expected: RecipientOutcome['outcome']): void {
  for (const { address, outcome } of checkOutcomes(answer, envelope)) {
    assert.equal(outcome, expected, `${address} must be ${expected}, not ${outcome}.`);
  }
}
