import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type ReportKind, reportOf } from './recipient-answers.js';
import { reportMessage } from './report-messages.js';

/** Time from a message to its report. Milliseconds. */
const DELAY = 1_000;
/** Attempts to send a report, and the delay between two. Milliseconds. */
const ATTEMPTS = 5;
const RETRY = 1_000;
/** Bytes of a message in which its header is looked for. */
const HEADER_LIMIT = 65_536;

/** Sends reports about messages to simulated recipients, as servers of recipients do later. */
export class InboxReports {
  private readonly stopped = new AbortController();
  private port: () => number | undefined = () => undefined;

  /** @param port that of a server on this machine; undefined while there is none */
  sendTo(port: () => number | undefined): void {
    this.port = port;
  }

  stop(): void {
    this.stopped.abort();
  }

  /**
   * Sends later. There is no report about a message without a reverse-path (RFC 5321 section 4.5.5).
   *
   * @param open opens the kept message
   */
  async schedule(from: string, to: readonly string[], open: () => Promise<Readable | undefined>): Promise<void> {
    const reported = to.flatMap((address) => {
      const kind = from === '' ? undefined : reportOf(address);
      return kind === undefined ? [] : [{ kind, address }];
    });
    if (reported.length === 0) return;
    const header = await headerOf(await open());
    for (const { kind, address } of reported) void this.send(kind, { from, to: address, header }).catch(() => {});
  }

  private async send(kind: ReportKind, message: { from: string; to: string; header: string }): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await pause(attempt === 0 ? DELAY : RETRY, undefined, { ref: false, signal: this.stopped.signal });
      const port = this.port();
      if (port === undefined) return;
      const to = kind === 'complaint' ? message.from.replace(/^.*@/, 'fbl@') : message.from;
      if (await isAccepted(port, to, reportMessage(kind, message))) return;
    }
  }
}

async function isAccepted(port: number, to: string, message: string): Promise<boolean> {
  const { SmtpTransport } = await import('nestjs-emails');
  const transport = new SmtpTransport({ url: `smtp://127.0.0.1:${port}`, hop: 'final' });
  try {
    const raw = Buffer.from(message);
    const [outcome] = await transport.send({ from: '', recipients: [to], needsSmtpUtf8: false, raw });
    return outcome?.outcome !== 'deferred' && outcome?.outcome !== 'unknown';
  } finally {
    await transport.close();
  }
}

async function headerOf(message: Readable | undefined): Promise<string> {
  let start = Buffer.alloc(0);
  for await (const piece of message ?? []) {
    start = Buffer.concat([start, piece as Buffer]);
    if (start.includes('\r\n\r\n') || start.length > HEADER_LIMIT) break;
  }
  return `${start.toString('utf8', 0, HEADER_LIMIT).split('\r\n\r\n', 1)[0]}\r\n`;
}
