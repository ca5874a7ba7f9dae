import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { toASCII } from 'tr46';
import { InboxReports } from './inbox-reports.js';
import { type InboxEntry, InboxStore } from './inbox-store.js';
import { RecipientAnswers, SmtpRefusal } from './recipient-answers.js';
import { InboxSignatures, type SignatureOptions } from './signatures/inbox-signatures.js';
import type { DkimStatus } from './signatures/signature-check.js';
import { signaturesOf } from './signatures/signatures-of.js';

/** An SMTP server on loopback that stores received messages: the default server for email. */
export interface Inbox {
  /** `smtp://127.0.0.1:port` */
  url: string;
  /** Kept messages, newest first. */
  list(): readonly InboxEntry[];
  /** Results for the DKIM signatures of kept messages, by id; `pending` where it takes longer than `limit` milliseconds. */
  signatures(ids: readonly string[], limit: number): Promise<ReadonlyMap<string, DkimStatus>>;
  /** A kept message, byte for byte. The stream has to be read to its end or destroyed. */
  raw(id: string): Promise<{ size: number; stream: Readable } | undefined>;
  /** Removes a message. @returns false when there was none */
  remove(id: string): Promise<boolean>;
  /** Removes all messages. */
  clear(): Promise<void>;
  /**
   * Sends the reports of simulated recipients to a server on this machine (`SIMULATED_ADDRESSES`).
   *
   * @param port the server's port; undefined while there is none, and then no report is sent
   */
  reportTo(port: () => number | undefined): void;
  /** Stops the server within about a second; received messages stay. */
  close(): Promise<void>;
}
export const Inbox = Symbol('Inbox');

/** Keys of the messages that the inbox verifies. */
export interface InboxOptions extends SignatureOptions {
  dataDir: string;
}

const CAPACITY = 1_000;
const SIZE_LIMIT_BYTES = 60 * 1024 * 1024;
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Starts an inbox that keeps its newest 1,000 messages in `<dataDir>/inbox`. It speaks plain SMTP without TLS and
 * authentication, offers SMTPUTF8 and 8BITMIME and accepts up to 60 MiB. It refuses some recipients: see
 * RecipientAnswers.
 *
 * @throws Error when the folder cannot be used
 */
export async function startInbox({ dataDir, ...keys }: InboxOptions): Promise<Inbox> {
  const store = await InboxStore.open(join(dataDir, 'inbox'), CAPACITY);
  const reports = new InboxReports();
  const signatures = new InboxSignatures(keys);
  const server = await serverFor(store, reports);
  const { port } = server.server.address() as AddressInfo;
  let closed: Promise<void> | undefined;
  return {
    url: `smtp://127.0.0.1:${port}`,
    list: () => store.list(),
    signatures: (ids, limit) => signaturesOf(store, signatures, ids, limit),
    async raw(id) {
      const file = await store.openMessage(id);
      return file && { size: (await file.stat()).size, stream: file.createReadStream() };
    },
    remove: (id) => store.remove(id),
    clear: () => store.clear(),
    reportTo: (to) => reports.sendTo(to),
    close() {
      reports.stop();
      signatures.stop();
      closed ??= promisify(server.close.bind(server))();
      return closed;
    },
  };
}

async function serverFor(store: InboxStore, reports: InboxReports): Promise<SMTPServer> {
  const { SMTPServer } = await import('smtp-server');
  const answers = new RecipientAnswers();
  const server = new SMTPServer({
    name: 'localhost',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    // Without this its limit for an address is a few octets below that of RFC 5321, section 4.5.3.1.3.
    lenientAddressParsing: true,
    size: SIZE_LIMIT_BYTES,
    closeTimeout: CLOSE_TIMEOUT_MS,
    logger: false,
    onRcptTo: ({ address }, session, done) => {
      const answer = answers.answerTo(address);
      if (answer === 'close') [...server.connections].find((one) => one.session === session)?.close();
      else if (typeof answer === 'number') setTimeout(done, answer).unref();
      else done(answer);
    },
    onData: (message, session, done) => {
      keep(store, reports, session, message).then(
        () => done(),
        (error) => done(error instanceof SmtpRefusal ? error : new SmtpRefusal(451, 'The message could not be kept')),
      );
    },
  });
  // Handles clients that hang up; without a listener they would crash the process.
  server.on('error', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

async function keep(
  store: InboxStore,
  reports: InboxReports,
  session: SMTPServerSession,
  message: SMTPServerDataStream,
): Promise<void> {
  const { mailFrom, rcptTo } = session.envelope;
  const from = mailFrom ? asSent(mailFrom.address) : '';
  const to = rcptTo.map(({ address }) => asSent(address));
  const id = await store.add({ from, to }, Readable.from(limited(message)));
  await reports.schedule(from, to, async () => (await store.openMessage(id))?.createReadStream());
}

/** The sender learns at the end that a message is too large, because SMTP has no earlier reply. */
async function* limited(message: SMTPServerDataStream): AsyncGenerator<Buffer> {
  for await (const chunk of message) {
    if (!message.sizeExceeded) yield chunk;
  }
  if (message.sizeExceeded) throw new SmtpRefusal(552, `The message is larger than ${SIZE_LIMIT_BYTES} bytes`);
}

/** smtp-server decodes a domain's A-labels (RFC 5890); an envelope shows the wire format. */
function asSent(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  return /\P{ASCII}/u.test(domain) ? address.slice(0, at) + (toASCII(domain) ?? domain) : address;
}
