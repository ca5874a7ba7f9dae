import { SmtpTransport } from 'nestjs-emails';
import type { Probe } from './probe.js';

/** Lifetime of a result, because each check needs a connection, maybe with a login. Milliseconds. */
const FRESH = 30_000;

const STEP = 1_500;

const REASONS: Readonly<Record<string, string>> = {
  ECONNECTION: 'nothing answers at that address',
  ESOCKET: 'nothing answers at that address',
  EDNS: 'the host name is unknown',
  ETIMEDOUT: 'there was no answer in time',
  EAUTH: 'the SMTP server refused the user or the password',
  ETLS: 'there is no TLS with the SMTP server',
  ENOLOGIN: 'the SMTP server offers no login, or accepts no mail without one',
};

/** Asks the SMTP server whether it accepts mail, on a separate connection: those that carry mail may all be busy. */
export class SmtpProbe implements Probe {
  private readonly transport: SmtpTransport;
  private answeredAt = Number.NEGATIVE_INFINITY;

  constructor(
    readonly name: string,
    smtpUrl: string,
    readonly vital: boolean,
  ) {
    this.transport = new SmtpTransport({
      url: smtpUrl,
      maxConnections: 1,
      idleTimeout: 1,
      connectionTimeout: STEP,
      greetingTimeout: STEP,
      socketTimeout: STEP,
    });
  }

  async check(): Promise<void> {
    if (performance.now() - this.answeredAt < FRESH) return;
    // With a signal, so that the check covers the acceptance of mail; its own timeouts end it.
    await this.transport.verify(new AbortController().signal);
    this.answeredAt = performance.now();
  }

  reason(error: unknown): string {
    const { code } = error as { code?: unknown };
    return REASONS[String(code)] ?? 'it does not answer like an SMTP server';
  }
}
