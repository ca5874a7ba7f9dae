import { connect, type LookupFunction, type Socket } from 'node:net';
import type { AuthMethod, SmtpCredentials } from './auth-mechanisms.js';
import { CommandDialogue } from './command-dialogue.js';
import { extensionsOf, type SmtpExtensions } from './smtp-extensions.js';
import { fault, mustAccept, transportClosed } from './smtp-fault.js';
import { logIn } from './smtp-login.js';
import { beginTls, type SmtpTlsOptions, startTls } from './smtp-tls.js';
import { CLOSING } from './smtp-transaction.js';
import type { TlsRule } from './smtp-url.js';

export interface SmtpConnectionOptions extends SmtpTlsOptions {
  port: number;
  /** True if the connection begins with TLS. */
  secure: boolean;
  /** TLS rule of a connection that begins in clear. */
  tlsRule: TlsRule;
  lookup: LookupFunction;
  localAddress?: string | undefined;
  /** The name in EHLO. */
  name: string;
  auth?: SmtpCredentials | undefined;
  authMethod?: AuthMethod | undefined;
  /** Milliseconds, like `connectionTimeout`. */
  greetingTimeout: number;
  socketTimeout: number;
  messageTimeout: number;
}

/** A connection on which the server waits for the first message. */
export interface GreetedConnection {
  /** Without listeners. */
  socket: Socket;
  extensions: SmtpExtensions;
}

/** Idle time until the system tests the connection. Milliseconds. */
const KEEP_ALIVE = 30_000;

/**
 * Connects and runs the dialogue before the first message: greeting, EHLO, STARTTLS and AUTH. Rejects with the reason
 * when a step fails, or when all of them take longer than the limits of connection and greeting together. Bytes that
 * arrive do not extend the time.
 *
 * @param signal ends the dialogue, or prevents it
 */
export async function greet(options: SmtpConnectionOptions, signal: AbortSignal): Promise<GreetedConnection> {
  if (signal.aborted) throw transportClosed();
  const { socketTimeout, connectionTimeout, greetingTimeout } = options;
  const dialogue = new CommandDialogue(open(options), socketTimeout);
  const abort = () => dialogue.end(transportClosed());
  signal.addEventListener('abort', abort);
  const tooLong = () => dialogue.end(fault('Greeting, TLS and login took too long.', 'ETIMEDOUT'));
  const timer = setTimeout(tooLong, connectionTimeout + greetingTimeout);
  try {
    const extensions = await introduce(dialogue, options);
    if (options.auth) await logIn(dialogue, extensions.auth, options.auth, options.authMethod);
    const socket = dialogue.leave();
    return { socket: socket.setTimeout(socketTimeout), extensions };
  } catch (error) {
    dialogue.end(error as Error);
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function open({ host, port, lookup, localAddress, connectionTimeout }: SmtpConnectionOptions): Socket {
  return connect({
    host,
    port,
    lookup,
    ...(localAddress !== undefined && { localAddress }),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE,
    // Time until the host's next address is tried. Longer than Node's default, because a lost packet is sent again
    // after a second.
    autoSelectFamilyAttemptTimeout: Math.max(250, Math.min(1_500, Math.floor(connectionTimeout / 4))),
  });
}

/** The dialogue up to the last EHLO. Extensions offered in clear do not count after STARTTLS (RFC 3207 section 4.2). */
async function introduce(dialogue: CommandDialogue, options: SmtpConnectionOptions): Promise<SmtpExtensions> {
  const { secure, tlsRule, name, connectionTimeout, greetingTimeout } = options;
  await dialogue.connected(connectionTimeout);
  if (secure) await beginTls(dialogue, options);
  mustAccept(await dialogue.reply(greetingTimeout), 'the connection', 'EPROTOCOL');
  const offered = await sayHello(dialogue, name);
  const wantsTls = tlsRule === 'required' || (tlsRule === 'optional' && offered.startTls);
  if (secure || !wantsTls) return offered;
  await startTls(dialogue, options);
  return sayHello(dialogue, name);
}

/** A server that does not know EHLO gets HELO (RFC 5321 section 3.2), and offers no extensions. */
async function sayHello(dialogue: CommandDialogue, name: string): Promise<SmtpExtensions> {
  const reply = await dialogue.ask(`EHLO ${name}`);
  const [, ...lines] = reply.text.split('\n');
  if (reply.code < 300) return extensionsOf(lines.map((line) => line.slice(4)));
  if (reply.code === CLOSING) mustAccept(reply, 'EHLO', 'ECONNECTION');
  mustAccept(await dialogue.ask(`HELO ${name}`), 'HELO', 'EPROTOCOL');
  return extensionsOf([]);
}
