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
import type { MessageRecipient } from '../../index.js';
import { DOMAIN_DIRECTORY } from '../../shared/domains/domain-directory.js';
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
import { PeerConnections } from './peer-connections.js';
import { ReportIntake } from './report-intake.js';
import { ReportThread } from './report-thread.js';
import { ReportThreadBusy } from './report-thread-busy.js';
import { SmtpRefusal } from './smtp-refusal.js';
import { UnsubscribeMails } from './unsubscribe-mails.js';

const { messageBytes, connections, messagesPerMinute } = FEEDBACK_LIMITS;
const { connectionsOfPeer, connectionTime, connectionsOfStranger, strangerTime } = FEEDBACK_LIMITS;
/**
 * Connections with those that wait for their greeting: the server refuses none before 100 milliseconds, so that one address
 * could hold all of the others by opening some hundred a second.
 */
const MAX_OPEN = 400;
const CONNECTIONS = {
  all: connections.max,
  ofPeer: connectionsOfPeer.max,
  ofStranger: connectionsOfStranger.max,
  /** Networks that are known to send to accepted addresses. */
  known: 1_000,
};
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
  private readonly peers = new PeerConnections(CONNECTIONS);
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
    return new SMTPServer({
      ...(name !== undefined && { name }),
      ...tls,
      // Without a key the library would use one that everybody knows.
      disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
      size: messageBytes.max,
      rejectOversized: true,
      maxClients: MAX_OPEN,
      // A report is about one message. The rest is answered 452 and sent again.
      maxRecipients: 1,
      maxAllowedUnauthenticatedCommands: false,
      lenientAddressParsing: true,
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: true,
      socketTimeout: SOCKET_TIMEOUT,
      closeTimeout: CLOSE_TIMEOUT,
      logger: false,
      onConnect: (session, done) => done(this.refusalOf(session)),
      onClose: ({ id }) => this.forget(id),
      onRcptTo: ({ address }, session, done) => void this.admit(address, session).then(() => done(), done),
      onData: (stream, session, done) => void this.receive(stream, session).then(() => done(), done),
    });
  }

  /** An address that has its connections gets no more, so that others find one. A stranger gets few, for a short time. */
  private refusalOf({ id, remoteAddress }: SMTPServerSession): SmtpRefusal | undefined {
    const admission = this.peers.admit(id, remoteNetwork(remoteAddress));
    if ('refused' in admission) {
      const whose = admission.refused === 'network' ? ' from this address' : '';
      return new SmtpRefusal(421, `4.7.0 Too many connections${whose}, try again later`);
    }
    if (admission.ended !== undefined) this.end(admission.ended, '4.7.0 Others need the connection, try again later');
    this.endLater(id, admission.isKnown ? connectionTime.max : strangerTime.max);
    return undefined;
  }

  private end(id: string, reply: string): void {
    this.forget(id);
    [...(this.server?.connections ?? [])].find((one) => one.id === id)?.send(421, reply);
  }

  /** Each byte begins the idle timeout again. */
  private endLater(id: string, time: number): void {
    clearTimeout(this.ends.get(id));
    this.ends.set(
      id,
      setTimeout(() => this.end(id, '4.4.2 Connected for too long'), time),
    );
  }

  private forget(session: string): void {
    clearTimeout(this.ends.get(session));
    this.ends.delete(session);
    this.peers.remove(session);
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
    if (this.peers.meet(id, network)) this.endLater(id, connectionTime.max);
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

  private async receive(
    stream: SMTPServerDataStream,
    { id, remoteAddress, envelope }: SMTPServerSession,
  ): Promise<void> {
    const bytes = await bytesOf(stream);
    // The server answers 552 by itself.
    if (!bytes) return;
    const [to] = envelope.rcptTo;
    const accepted = to && this.acceptedAs(to.address);
    if (!accepted || !this.trust) throw new SmtpRefusal(550, '5.1.1 No such address');
    const from = envelope.mailFrom ? envelope.mailFrom.address : '';
    const { unsubscribed, ...report } = accepted;
    this.peers.setBusy(id, true);
    try {
      if (unsubscribed) await this.unsubscribes.take(unsubscribed);
      else await this.intake.take({ ...report, network: remoteNetwork(remoteAddress), from, bytes }, this.trust);
    } catch (error) {
      if (!isTemporary(error)) this.logger.error(errorReport(error));
      throw new SmtpRefusal(451, '4.3.0 The message could not be recorded, try again later');
    } finally {
      this.peers.setBusy(id, false);
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
