import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  Optional,
} from '@nestjs/common';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from 'smtp-server';
import { DOMAIN_DIRECTORY, type MessageRecipient } from '../../index.js';
import { ApiError } from '../../shared/errors/api-error.js';
import { isDatabaseUnavailable } from '../../shared/errors/database-errors.js';
import { errorReport } from '../../shared/errors/error-report.js';
import { importPeer } from '../../shared/features/import-peer.js';
import { toAsciiDomain } from '../../shared/mailbox/domain.js';
import { remoteNetwork } from '../../shared/net/remote-network.js';
import { FEEDBACK_OPTIONS } from '../feedback.tokens.js';
import { FEEDBACK_LIMITS } from '../limits.js';
import { tokenIn } from '../return-path/return-address.js';
import type { ReturnPathOptions } from '../return-path/return-path.options.js';
import { ReturnPathTokens } from '../return-path/return-path-tokens.js';
import { FeedbackTrust, SignatureUnknown } from './feedback-trust.js';
import type { ListenerOptions } from './listener.options.js';
import { ReportIntake } from './report-intake.js';
import { ReportThread, ReportThreadBusy } from './report-thread.js';
import { SmtpRefusal } from './smtp-refusal.js';
import { UnsubscribeMails } from './unsubscribe-mails.js';

const { messageBytes, connections, messagesPerMinute } = FEEDBACK_LIMITS;
const { connectionsOfPeer, connectionTime, connectionsOfStranger, strangerTime } = FEEDBACK_LIMITS;
/** Networks that are known to send to accepted addresses. */
const MAX_KNOWN = 1_000;
/** Milliseconds. */
const CLOSE_TIMEOUT = 5_000;
/** Without a byte of the peer. */
const SOCKET_TIMEOUT = 60_000;
/** Seconds. */
const WINDOW = 60;

/** An address that the listener accepts: that of a token, a feedback address, or that of a recipient who unsubscribes. */
interface Accepted {
  token: string | undefined;
  isOfOne: boolean;
  unsubscribed?: MessageRecipient | undefined;
}

/**
 * An SMTP server that accepts reports and little else: bounces to `b+TOKEN@`, feedback to the named addresses, and mails to
 * `u+TOKEN@` that unsubscribe. It answers 250 when they are committed, so that a message is sent again until then.
 */
@Injectable()
export class FeedbackListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FeedbackListener.name);
  private readonly messages = new RateLimiterMemory({ points: messagesPerMinute.max, duration: WINDOW });
  /** Networks that sent to an accepted address, the first known first. */
  private readonly known = new Set<string>();
  /** Sessions whose time is that of a stranger. */
  private readonly strangers = new Set<string>();
  /** Timers that end connections, by session. */
  private readonly ends = new Map<string, NodeJS.Timeout>();
  private readonly options: Partial<ListenerOptions>;
  private readonly bounceDomain: string | undefined;
  private readonly feedbackAddresses: ReadonlySet<string>;
  private server: SMTPServer | undefined;
  private trust: FeedbackTrust | undefined;

  /**
   * @internal Made by `feedback()`.
   * @throws Error when the listener would accept no address
   */
  constructor(
    @Inject(FEEDBACK_OPTIONS) { listener, bounceDomain }: ReturnPathOptions & { listener?: ListenerOptions },
    @Inject(ReturnPathTokens) private readonly tokens: Pick<ReturnPathTokens, 'read'>,
    @Inject(ReportIntake) private readonly intake: Pick<ReportIntake, 'take'>,
    @Inject(ReportThread) private readonly thread: Pick<ReportThread, 'verify'>,
    @Inject(UnsubscribeMails) private readonly unsubscribes: Pick<UnsubscribeMails, 'recipientOf' | 'take'>,
    @Optional() @Inject(DOMAIN_DIRECTORY) private readonly directory?: object,
  ) {
    this.options = listener ?? {};
    this.bounceDomain = bounceDomain;
    this.feedbackAddresses = new Set(this.options.feedbackAddresses?.map(normalized));
    if (listener && bounceDomain === undefined && this.feedbackAddresses.size === 0) {
      throw new Error('Feature feedback: `listener` needs `bounceDomain` or `listener.feedbackAddresses`.');
    }
  }

  /** The port on which it listens; undefined while it does not. */
  get port(): number | undefined {
    return (this.server?.server.address() as AddressInfo | null | undefined)?.port;
  }

  /** @throws Error when a package is missing, or the port is taken */
  async onApplicationBootstrap(): Promise<void> {
    const { port, host } = this.options;
    if (port === undefined) return;
    this.trust = await FeedbackTrust.of(this.options, this.thread);
    const server = await this.serverFor();
    // A client that hangs up is no error of ours; without a listener it would end the process.
    server.on('error', () => {});
    await once(server.listen(port, host), 'listening');
    this.server = server;
    this.logger.log(`Reports are accepted by SMTP on port ${this.port}.`);
  }

  /** @internal */
  async beforeApplicationShutdown(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server) await promisify(server.close.bind(server))();
  }

  private async serverFor(): Promise<SMTPServer> {
    const { SMTPServer } = await importPeer('smtp-server', 'Feature feedback: `listener`', () => import('smtp-server'));
    // Reports are read by it: its absence is to stop the start, not to refuse each report.
    await importPeer('postal-mime', 'Feature feedback: `listener`', () => import('postal-mime'));
    const { tls, name = this.bounceDomain } = this.options;
    const server: SMTPServer = new SMTPServer({
      ...(name !== undefined && { name }),
      ...tls,
      // Without a key the library would use one that everybody knows.
      disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
      size: messageBytes.max,
      rejectOversized: true,
      maxClients: connections.max,
      // A report is about one message. The rest is answered 452 and sent again.
      maxRecipients: 1,
      maxAllowedUnauthenticatedCommands: false,
      lenientAddressParsing: true,
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: true,
      socketTimeout: SOCKET_TIMEOUT,
      closeTimeout: CLOSE_TIMEOUT,
      logger: false,
      onConnect: (session, done) => done(this.refusalOf(session, server)),
      onClose: ({ id }) => this.forget(id),
      onRcptTo: ({ address }, session, done) => void this.admit(address, session).then(() => done(), done),
      onData: (stream, session, done) => void this.receive(stream, session).then(() => done(), done),
    });
    return server;
  }

  /** An address that has its connections gets no more, so that others find one. A stranger gets few, for a short time. */
  private refusalOf({ id, remoteAddress }: SMTPServerSession, { connections }: SMTPServer): SmtpRefusal | undefined {
    const network = remoteNetwork(remoteAddress);
    const ids = [...connections].filter((one) => remoteNetwork(one.remoteAddress) === network).map((one) => one.id);
    // In their order: of several that come at once only the last are refused.
    const isKnown = this.known.has(network);
    if (ids.indexOf(id) >= (isKnown ? connectionsOfPeer : connectionsOfStranger).max) {
      return new SmtpRefusal(421, '4.7.0 Too many connections from this address, try again later');
    }
    if (!isKnown) this.strangers.add(id);
    this.endLater(id, isKnown ? connectionTime.max : strangerTime.max);
    return undefined;
  }

  /** Each byte begins the idle timeout again. */
  private endLater(id: string, time: number): void {
    const end = () => {
      const connection = [...(this.server?.connections ?? [])].find((one) => one.id === id);
      connection?.send(421, '4.4.2 Connected for too long');
    };
    clearTimeout(this.ends.get(id));
    this.ends.set(id, setTimeout(end, time));
  }

  private meet(id: string, network: string): void {
    if (this.strangers.delete(id)) this.endLater(id, connectionTime.max);
    this.known.add(network);
    const [first] = this.known;
    if (this.known.size > MAX_KNOWN && first !== undefined) this.known.delete(first);
  }

  private forget(session: string): void {
    clearTimeout(this.ends.get(session));
    this.ends.delete(session);
    this.strangers.delete(session);
  }

  /** Refused recipients count as messages do: a client must not try tokens without a limit. */
  private async admit(address: string, { id, remoteAddress }: SMTPServerSession): Promise<void> {
    const network = remoteNetwork(remoteAddress);
    try {
      await this.messages.consume(network);
    } catch {
      throw new SmtpRefusal(421, '4.7.0 Too many messages from this address, try again in a minute');
    }
    if (!this.acceptedAs(address)) throw new SmtpRefusal(550, '5.1.1 No such address');
    this.meet(id, network);
  }

  private acceptedAs(address: string): Accepted | undefined {
    const plain = normalized(address);
    if (this.feedbackAddresses.has(plain)) return { token: undefined, isOfOne: false };
    if (this.bounceDomain === undefined) return undefined;
    // With domains of accounts the return path may be below any of them: the token alone proves that it is ours.
    const token = tokenIn(plain, this.directory === undefined ? this.bounceDomain : undefined);
    const read = token === undefined ? undefined : this.tokens.read(token);
    if (read) return { token, isOfOne: read.recipient !== undefined };
    const unsubscribed = this.unsubscribes.recipientOf(plain);
    return unsubscribed && { token: undefined, isOfOne: true, unsubscribed };
  }

  private async receive(stream: SMTPServerDataStream, { envelope }: SMTPServerSession): Promise<void> {
    const bytes = await bytesOf(stream);
    // The server answers 552 by itself.
    if (!bytes) return;
    const [to] = envelope.rcptTo;
    const accepted = to && this.acceptedAs(to.address);
    if (!accepted || !this.trust) throw new SmtpRefusal(550, '5.1.1 No such address');
    const from = envelope.mailFrom ? envelope.mailFrom.address : '';
    const { unsubscribed, ...report } = accepted;
    try {
      if (unsubscribed) await this.unsubscribes.take(unsubscribed);
      else await this.intake.take({ ...report, from, bytes }, this.trust);
    } catch (error) {
      if (!isTemporary(error)) this.logger.error(errorReport(error));
      throw new SmtpRefusal(451, '4.3.0 The message could not be recorded, try again later');
    }
  }
}

/** Undefined for a message that is too large, of which nothing is kept. */
async function bytesOf(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
  let pieces: Buffer[] = [];
  for await (const piece of stream) {
    if (stream.sizeExceeded) pieces = [];
    else pieces.push(piece as Buffer);
  }
  return stream.sizeExceeded ? undefined : Buffer.concat(pieces);
}

function isTemporary(error: unknown): boolean {
  return (
    error instanceof SignatureUnknown ||
    error instanceof ReportThreadBusy ||
    isDatabaseUnavailable(error) ||
    (error instanceof ApiError && error.statusCode === 503)
  );
}

/** In lower case and A-labels: the server decodes those of a domain. */
function normalized(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  try {
    return `${address.slice(0, at).toLowerCase()}${toAsciiDomain(address.slice(at))}`;
  } catch {
    return address.toLowerCase();
  }
}
