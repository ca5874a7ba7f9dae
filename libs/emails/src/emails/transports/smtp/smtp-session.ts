import { Readable, type Writable } from 'node:stream';
import type { SMTPConnectionAuth, SMTPConnectionEnvelope, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { BuiltMessage, RecipientOutcome } from '../../ports/email-transport.js';
import { outcomesForAll } from '../outcomes.js';
import { acceptedOutcomes, failedOutcomes } from './smtp-outcomes.js';

export interface SmtpSessionOptions extends SMTPConnectionOptions {
  auth?: SMTPConnectionAuth | undefined;
}

/**
 * One connection to the next hop, greeted and logged in. Sends one message at a time.
 *
 * Nodemailer's own pool does not tell a message that was never sent from one that may have been, and gives it again by
 * itself. Delivery through this, with leases, attempts and events written to PostgreSQL, is 0.9 times as fast as that
 * pool alone (docs/bench.md).
 */
export class SmtpSession {
  /** Messages tried on this connection. */
  sent = 0;

  /** Whether it was kept for later: the server may have given it up since. */
  reused = false;

  /** False once the connection is of no more use. */
  usable = true;

  /** Whether the server's answer to EHLO names SMTPUTF8 (RFC 6531). */
  private offersSmtpUtf8 = false;

  /** Whether the message that is being sent needs it. */
  private asksForSmtpUtf8 = false;

  private readonly ended: Promise<void>;

  private constructor(private readonly connection: SMTPConnection) {
    // nodemailer looks at the envelope only, and addresses in headers need it too (RFC 6531 section 3.4).
    const { _sendCommand, _actionSMTPStream, _responseActions } = connection as unknown as Internals;
    Object.assign(connection, {
      // No answer to a final dot (RFC 5321 section 4.2.1): the server is a reply behind, and that one is still to come.
      _actionSMTPStream: (reply: string, done: (error: unknown, info?: unknown) => void) => {
        if (!reply.startsWith('3')) return _actionSMTPStream.call(connection, reply, done);
        const last = (...results: [unknown, unknown?]) => {
          done(...results);
          this.close();
        };
        _responseActions.push((next) => _actionSMTPStream.call(connection, next, last));
      },
      _sendCommand: (command: string, ...more: unknown[]) =>
        _sendCommand.call(connection, this.asksForSmtpUtf8 ? withSmtpUtf8(command) : command, ...more),
    });
    connection.on('error', () => {
      this.usable = false;
    });
    this.ended = new Promise((resolve) => {
      connection.once('end', () => {
        this.usable = false;
        resolve();
      });
    });
  }

  static async open({ auth, ...options }: SmtpSessionOptions): Promise<SmtpSession> {
    const connection = new SMTPConnection(options);
    const session = new SmtpSession(connection);
    try {
      await new Promise<void>((resolve, reject) => {
        connection.once('error', reject);
        connection.once('end', () => reject(new Error('The next hop closed the connection.')));
        connection.connect((error) => {
          if (error) return reject(error);
          session.offersSmtpUtf8 = /^250[ -]SMTPUTF8\b/im.test(String(connection.lastServerResponse));
          if (!auth || !connection.allowsAuth) return resolve();
          connection.login(auth, (loginError) => (loginError ? reject(loginError) : resolve()));
        });
      });
    } catch (error) {
      session.close();
      throw error;
    }
    return session;
  }

  /** Whether the server said more than it was asked: it would be taken for the answer to the next command. */
  private get hasMoreToSay(): boolean {
    const { _responseQueue, _remainder } = this.connection as unknown as Internals;
    return Boolean(_responseQueue?.length || _remainder);
  }

  /** Resolves with what became of each recipient, or with `stale` when the connection turned out to be dead. */
  async send(message: BuiltMessage): Promise<RecipientOutcome[] | 'stale'> {
    if (this.hasMoreToSay) this.close();
    if (!this.usable) return 'stale';
    if (message.needsSmtpUtf8 && !this.offersSmtpUtf8) {
      const text = 'The next hop does not support internationalised addresses (SMTPUTF8, RFC 6531).';
      return outcomesForAll(message.recipients, 'rejected', { text, error: 'NO_SMTPUTF8' });
    }
    this.sent++;
    const raw = Buffer.isBuffer(message.raw) ? new Bytes(message.raw) : message.raw();
    // The connection keeps its notes about recipients on the envelope it is given.
    const envelope = {
      from: message.from,
      to: [...message.recipients],
      size: Buffer.isBuffer(message.raw) ? message.raw.length : undefined,
    } as SMTPConnectionEnvelope;
    this.asksForSmtpUtf8 = message.needsSmtpUtf8;

    return new Promise((resolve) => {
      this.connection.send(envelope, raw as Readable, (error, info) => {
        if (!error && info) return resolve(acceptedOutcomes(info, envelope.rejectedErrors));
        const failure = failedOutcomes(
          message.recipients,
          error ?? new Error('The next hop gave no answer.'),
          envelope.rejectedErrors ?? [],
          raw.readableEnded,
        );
        if (raw instanceof Readable) raw.destroy();
        const untouched = failure.kind === 'not_sent' && error?.code !== 'ESTREAM' && !raw.readableDidRead;
        // Before a word was said the connection was found to be gone.
        const unsaid = error?.command === 'API';
        const answer = untouched && (this.reused || unsaid) ? 'stale' : failure.outcomes;
        if (failure.kind === 'recipients_refused') return void this.reset().then(() => resolve(answer));
        this.close();
        resolve(answer);
      });
    });
  }

  /** Ends the transaction that refused recipients left behind (RFC 5321 section 4.1.1.5). */
  private reset(): Promise<void> {
    const done = new Promise<void>((resolve) => {
      this.connection.reset((error) => {
        if (error) this.close();
        resolve();
      });
    });
    // A connection that ends first never answers.
    return Promise.race([done, this.ended]);
  }

  quit(): void {
    this.usable = false;
    this.connection.quit();
  }

  close(): void {
    this.usable = false;
    this.connection.close();
  }
}

/** How a connection of nodemailer speaks. */
interface Internals {
  _sendCommand(command: string, ...more: unknown[]): void;
  _actionSMTPStream(reply: string, done: (error: unknown, info?: unknown) => void): void;
  /** What is done with the next replies. */
  _responseActions: ((reply: string) => void)[];
  /** What it has received and not looked at. */
  _responseQueue?: readonly string[];
  _remainder?: string;
}

function withSmtpUtf8(command: string): string {
  const asks = !command.startsWith('MAIL FROM:') || /> .*\bSMTPUTF8\b/.test(command);
  return asks ? command : `${command} SMTPUTF8`;
}

/** A message in memory, handed over in one piece when the server asks for it. */
class Bytes {
  readableEnded = false;
  readableDidRead = false;

  constructor(private readonly bytes: Buffer) {}

  pipe(destination: Writable): Writable {
    this.readableDidRead = true;
    this.readableEnded = true;
    return destination.end(this.bytes);
  }
}
