import type { Socket } from 'node:net';
import { ReplyReader } from './reply-reader.js';
import { greet, type SmtpConnectionOptions } from './smtp-greeting.js';
import { demandsLoginAtMail, NO_LOGIN } from './smtp-outcomes.js';

/** For how long a server may take to close after QUIT. Milliseconds. */
const GOODBYE = 5_000;

/**
 * Opens a connection and asks whether the server takes mail on it, from nobody in particular: any answer will do but that
 * a login is missing. Rejects with the reason otherwise. The connection ends in any case.
 *
 * @param signal ends the question
 */
export async function askToMail(options: SmtpConnectionOptions, signal: AbortSignal): Promise<void> {
  const { socket } = await greet(options, signal);
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort);
  try {
    await answerOf(socket, options.socketTimeout);
    socket.end('QUIT\r\n');
    setTimeout(abort, GOODBYE).unref();
  } catch (error) {
    abort();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The socket is read to its end. */
function answerOf(socket: Socket, patience: number): Promise<void> {
  const reader = new ReplyReader();
  let timer: NodeJS.Timeout | undefined;
  const answered = new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => reject(failed('The next hop did not answer in time.', 'ETIMEDOUT')), patience);
    socket.on('error', reject);
    socket.on('close', () => reject(failed('The next hop closed the connection.', 'ECONNECTION')));
    socket.on('data', (bytes) => {
      const [reply] = reader.read(bytes);
      if (!reply) return;
      if (demandsLoginAtMail(reply)) reject(Object.assign(failed(reply.text, NO_LOGIN), { responseCode: reply.code }));
      else resolve();
    });
    socket.write('MAIL FROM:<>\r\n');
  });
  return answered.finally(() => clearTimeout(timer));
}

function failed(text: string, code: string): Error {
  return Object.assign(new Error(text), { code });
}
