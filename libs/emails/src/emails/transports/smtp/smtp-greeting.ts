import type { Socket } from 'node:net';
import type { SMTPConnectionAuth, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { extensionsOf, type SmtpExtensions } from './smtp-extensions.js';
import { NO_LOGIN } from './smtp-outcomes.js';

export interface SmtpConnectionOptions extends SMTPConnectionOptions {
  auth?: SMTPConnectionAuth | undefined;
  /** Milliseconds. */
  connectionTimeout: number;
  greetingTimeout: number;
  socketTimeout: number;
  messageTimeout: number;
}

/** A connection on which the server waits for the first message. */
export interface GreetedConnection {
  /** Nobody listens to it. */
  socket: Socket;
  extensions: SmtpExtensions;
}

/**
 * Connects through nodemailer's connection: the greeting, EHLO, STARTTLS and AUTH. Rejects with the reason when one of
 * them fails, or all of them take longer than the connection and its greeting may. Bytes that come meanwhile gain no time.
 *
 * @param signal ends what was begun, or keeps it from being begun
 */
export async function greet(
  { auth, ...options }: SmtpConnectionOptions,
  signal: AbortSignal,
): Promise<GreetedConnection> {
  if (signal.aborted) throw new Error('The transport is closed.');
  const connection = new SMTPConnection(options);
  const abort = () => connection.close();
  signal.addEventListener('abort', abort);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const done = () => {
        try {
          resolve(takeFrom(connection));
        } catch (error) {
          reject(error);
        }
      };
      timer = setTimeout(() => reject(tooLong()), options.connectionTimeout + options.greetingTimeout);
      connection.on('error', reject);
      connection.once('end', () => reject(new Error('The next hop closed the connection.')));
      connection.connect((error) => {
        if (error) reject(error);
        else if (!auth) done();
        else if (!connection.allowsAuth) reject(noLogin());
        else connection.login(auth, (loginError) => (loginError ? reject(loginError) : done()));
      });
    });
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function tooLong(): Error {
  return Object.assign(new Error('Greeting, TLS and login took too long.'), { code: 'ETIMEDOUT' });
}

/** Without the login that it needs, the next hop would refuse each message, for reasons that have to do with none. */
function noLogin(): Error {
  const text = 'The next hop offers no login (AUTH), and there is a password for it.';
  return Object.assign(new Error(text), { code: NO_LOGIN });
}

/** What is nodemailer's own, and it has no other way to give. */
interface Internals {
  _socket: Socket;
  /** Undefined where the server refused EHLO. */
  _ehloLines?: readonly string[];
  /** What it has received and not looked at. */
  _responseQueue: string[];
  _remainder: string;
  _onSocketData(): void;
  _onSocketError(): void;
  _onSocketClose(): void;
  _onSocketEnd(): void;
  _onSocketTimeout(): void;
}

function takeFrom(connection: SMTPConnection): GreetedConnection {
  const inner = connection as unknown as Internals;
  const { _socket: socket, _ehloLines: lines = [] } = inner;
  // It would be taken for the answer to the next command.
  if (inner._responseQueue.length > 0 || inner._remainder) throw new Error('The next hop said more than it was asked.');
  socket.off('data', inner._onSocketData);
  socket.off('error', inner._onSocketError);
  socket.off('close', inner._onSocketClose);
  socket.off('end', inner._onSocketEnd);
  socket.off('timeout', inner._onSocketTimeout);
  return { socket, extensions: extensionsOf(lines) };
}
