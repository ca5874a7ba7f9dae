import { Readable } from 'node:stream';
import { parseAddress } from '../../shared/mailbox/address.js';
import { domainOf } from '../../shared/mailbox/domain-of.js';
import { isObject } from '../../shared/options/rules.js';
import { whileProgressing } from '../../shared/work/while-progressing.js';
import type { BuiltMessage } from '../ports/email-transport.js';
import type { MessageStage, StagedMessage, StageResult } from '../ports/message-stage.js';
import { LineEnds } from './line-ends.js';
import type { MessageBuilder, MessageContent } from './message-builder.js';

/** Time limit for one stage, as for the policies; for a large message, since it read the last piece. Milliseconds. */
const PATIENCE = 3_000;
/** Limit of a line without its end, in octets (RFC 5322 section 2.1.1). */
const LONGEST_LINE = 998;
const FIELD_NAME = /^[!-9;-~]+$/;
/** Unfolded, or with a blank at the beginning of each further line, which must not be empty. */
const FIELD_VALUE = /^[\t\x20-\x7e]*(?:\r\n[\t ]+[\x21-\x7e][\t\x20-\x7e]*)*$/;
const RESULT_KEYS = ['headers', 'envelopeFrom', 'dsn', 'tls'];

type Raw = BuiltMessage['raw'];

/** Applies the message stages in their order, the signature last. */
export class MessageStages {
  private readonly stages: readonly MessageStage[];

  /** @param isBuiltSlowly true if building a message asks something that may take a while */
  constructor(
    stages: readonly MessageStage[] = [],
    private readonly isBuiltSlowly = false,
  ) {
    this.stages = [...stages.filter((stage) => !isSignature(stage)), ...stages.filter(isSignature)];
  }

  get isEmpty(): boolean {
    return this.stages.length === 0;
  }

  /** True if a message may take a while. */
  get mayWait(): boolean {
    return this.isBuiltSlowly || this.stages.some(({ isImmediate }) => isImmediate !== true);
  }

  /**
   * Wraps a builder so that its messages pass the stages, for one transport. Without stages, returns the same builder.
   */
  around(builder: Pick<MessageBuilder, 'build'>, transport: StagedMessage['transport']): Pick<MessageBuilder, 'build'> {
    if (this.isEmpty) return builder;
    return {
      build: async (email, recipients, hidden) =>
        this.apply(await builder.build(email, recipients, hidden), email, transport),
    };
  }

  private async apply(
    built: BuiltMessage,
    email: Pick<MessageContent, 'id' | 'accountId' | 'topicId' | 'recipients'>,
    transport: StagedMessage['transport'],
  ): Promise<BuiltMessage> {
    const { id: emailId, accountId, topicId } = email;
    const all = email.recipients.map(({ address }) => address);
    const fromDomain = domainOf(built.from);
    const { raw7Bit, ...rest } = built;
    let message: BuiltMessage = { ...rest, raw: onWire(built.raw) };
    let other: Raw | undefined = raw7Bit && onWire(raw7Bit);
    for (const stage of this.stages) {
      const { from, recipients } = message;
      const about = {
        accountId,
        emailId,
        topicId,
        fromDomain,
        transport,
        recipients: all,
        envelope: { from, recipients },
      };
      const result = await ask(stage, { ...about, raw: message.raw });
      if (other) other = inFront(headOf(await ask(stage, { ...about, raw: other })), other);
      message = after(message, result);
    }
    return { ...message, ...(typeof other === 'function' && { raw7Bit: other }) };
  }
}

function isSignature(stage: MessageStage): boolean {
  return stage.isSignature === true;
}

async function ask(stage: MessageStage, { raw, ...about }: StagedMessage): Promise<StageResult> {
  const apply = async (progress: () => void) => {
    // A copy: the bytes that a stage writes into are its own.
    const own = Buffer.isBuffer(raw) ? Buffer.from(raw) : watched(raw, progress);
    return stage.apply({ ...about, raw: own });
  };
  const result: unknown = await whileProgressing(apply, PATIENCE, () => {
    throw new StageTooSlow();
  });
  if (result === undefined) return {};
  if (!isObject(result)) invalid('must be an object or undefined');
  const unknown = Object.keys(result).find((key) => !RESULT_KEYS.includes(key));
  if (unknown !== undefined) invalid(`has an unknown key, \`${unknown}\``);
  return result;
}

function watched(open: () => Readable, progress: () => void): () => Readable {
  async function* pieces() {
    for await (const piece of open()) {
      progress();
      yield piece;
    }
  }
  return () => Readable.from(pieces(), { objectMode: false });
}

function after(message: BuiltMessage, result: StageResult): BuiltMessage {
  const head = headOf(result);
  const { envelopeFrom: sender, dsn, tls } = result;
  if (dsn !== undefined && !isObject(dsn)) invalid('has a `dsn` that is not an object');
  if (tls !== undefined && tls !== 'enforced') invalid('has a `tls` that is not `enforced`');
  return {
    ...message,
    ...(sender !== undefined && reversePath(sender, message)),
    ...(dsn !== undefined && { dsn }),
    ...(tls !== undefined && { requireTls: tls }),
    ...(message.size !== undefined && { size: message.size + head.length }),
    raw: inFront(head, message.raw),
  };
}

function reversePath(sender: unknown, message: BuiltMessage): Pick<BuiltMessage, 'from' | 'needsSmtpUtf8'> {
  if (sender === '') return { from: '', needsSmtpUtf8: message.needsSmtpUtf8 };
  if (typeof sender !== 'string') invalid('has an `envelopeFrom` that is not a string');
  const { envelope, needsSmtpUtf8 } = parseAddress(sender);
  return { from: envelope, needsSmtpUtf8: needsSmtpUtf8 || message.needsSmtpUtf8 };
}

function headOf({ headers = [] }: StageResult): Buffer {
  if (!Array.isArray(headers)) invalid('has `headers` that are not a list');
  return Buffer.from(headers.map(fieldOf).join(''));
}

function fieldOf(header: unknown): string {
  const [name, value] = Array.isArray(header) ? header : [];
  if (typeof name !== 'string' || !FIELD_NAME.test(name)) invalid('has a header without a name of RFC 5322');
  if (typeof value !== 'string' || !FIELD_VALUE.test(value)) invalid('has a header that is not ASCII, folded by CR LF');
  const field = `${name}: ${value}`;
  if (field.split('\r\n').some(({ length }) => length > LONGEST_LINE)) invalid('has a header with too long a line');
  return `${field}\r\n`;
}

function onWire(raw: Raw): Raw {
  return Buffer.isBuffer(raw) ? LineEnds.of(raw) : () => LineEnds.through(raw());
}

function inFront(head: Buffer, raw: Raw): Raw {
  if (head.length === 0) return raw;
  if (Buffer.isBuffer(raw)) return Buffer.concat([head, raw]);
  async function* pieces(open: () => Readable) {
    yield head;
    yield* open();
  }
  return () => Readable.from(pieces(raw), { objectMode: false });
}

function invalid(what: string): never {
  throw new InvalidStageResult(`The result of a message stage ${what}.`);
}

class InvalidStageResult extends Error {
  override readonly name = 'InvalidStageResult';
}

class StageTooSlow extends Error {
  override readonly name = 'StageTooSlow';
}
