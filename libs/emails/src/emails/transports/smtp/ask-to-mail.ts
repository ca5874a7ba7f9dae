import { CommandDialogue } from './command-dialogue.js';
import { fault, transportClosed } from './smtp-fault.js';
import { greet, type SmtpConnectionOptions } from './smtp-greeting.js';
import { demandsLoginAtMail, NO_LOGIN } from './smtp-outcomes.js';

/** Time limit for the server to close after QUIT. Milliseconds. */
const GOODBYE = 5_000;

/**
 * Opens a connection and tests with a null sender whether the server accepts mail on it: any answer will do except that
 * a login is missing. Rejects with the reason otherwise. The connection ends in any case.
 *
 * @param signal ends the test
 */
export async function askToMail(options: SmtpConnectionOptions, signal: AbortSignal): Promise<void> {
  const { socket } = await greet(options, signal);
  const dialogue = new CommandDialogue(socket, options.socketTimeout);
  const abort = () => dialogue.end(transportClosed());
  signal.addEventListener('abort', abort);
  try {
    const reply = await dialogue.ask('MAIL FROM:<>');
    if (demandsLoginAtMail(reply)) throw fault(reply.text, NO_LOGIN, { responseCode: reply.code });
    socket.end('QUIT\r\n');
    setTimeout(abort, GOODBYE).unref();
  } catch (error) {
    abort();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
