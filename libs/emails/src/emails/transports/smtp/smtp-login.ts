import { errorKind } from '../outcomes.js';
import { AUTH_MECHANISMS, type AuthMechanism, type AuthMethod, type SmtpCredentials } from './auth-mechanisms.js';
import type { CommandDialogue } from './command-dialogue.js';
import type { Reply } from './reply-reader.js';
import { fault, mustAccept } from './smtp-fault.js';
import { NO_LOGIN } from './smtp-outcomes.js';

const CHALLENGE = 334;
const REFUSED = 535;
/** Limit of a command line without its end (RFC 5321 section 4.5.3.1.4). A longer response waits for the challenge. */
const LONGEST_COMMAND = 510;
/** Enhanced status code (RFC 3463) behind the code of a reply. */
const ENHANCED_STATUS = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})(?!\S)/;

/**
 * Logs in with the first mechanism that the server offers and that fits the credentials (RFC 4954).
 *
 * @param offered by the server, in its order
 * @param method the required mechanism. Default: any
 */
export async function logIn(
  dialogue: CommandDialogue,
  offered: readonly string[],
  auth: SmtpCredentials,
  method?: AuthMethod,
): Promise<void> {
  const mechanism = mechanismFor(offered, auth, method);
  const attempt = async () => authenticate(dialogue, mechanism, auth.user, await secretOf(dialogue, auth));
  let reply = await attempt();
  // Some servers close the connection after a refusal. The refusal counts, not the end of the connection.
  if (reply.code === REFUSED && 'accessToken' in auth) reply = await attempt().catch(() => reply);
  // Some servers quote the refused line, in any form: only the codes are kept.
  const status = ENHANCED_STATUS.exec(reply.text)?.[1] ?? '';
  mustAccept({ ...reply, text: `${reply.code} ${status}`.trim() }, 'the login', 'EAUTH');
}

/** Without its login, the next hop would refuse each message for unrelated reasons. */
function mechanismFor(offered: readonly string[], auth: SmtpCredentials, method?: AuthMethod): AuthMechanism {
  const usable = AUTH_MECHANISMS.filter(({ proof, name }) => proof in auth && name === (method ?? name));
  const found = offered.flatMap((name) => usable.filter((mechanism) => mechanism.name === name))[0];
  if (found) return found;
  const given = 'pass' in auth ? 'password' : 'access token';
  if (offered.length === 0)
    throw fault(`The next hop offers no login (AUTH), and there is a ${given} for it.`, NO_LOGIN);
  const names = usable.map(({ name }) => name).join(', ');
  throw fault(`The next hop offers ${offered.join(', ')}; a login with this ${given} needs ${names}.`, NO_LOGIN);
}

async function secretOf(dialogue: CommandDialogue, auth: SmtpCredentials): Promise<string> {
  if ('pass' in auth) return auth.pass;
  const asked = Promise.resolve().then(() => auth.accessToken());
  // The error of the host's function may quote a secret.
  const token: unknown = await dialogue.during(asked.catch((cause: unknown) => ({ cause })));
  if (typeof token === 'string' && /^[!-~]+$/.test(token)) return token;
  const cause = (token as { cause?: unknown } | null)?.cause;
  const reason = cause === undefined ? 'it must be a text of ASCII without spaces' : errorKind(cause);
  throw fault(`There is no access token: ${reason}.`, 'EAUTH');
}

async function authenticate(
  dialogue: CommandDialogue,
  { name, startsAtOnce, responses }: AuthMechanism,
  user: string,
  secret: string,
): Promise<Reply> {
  const said = responses(user, secret).map((response) => Buffer.from(response).toString('base64'));
  const atOnce = `AUTH ${name} ${said[0]}`;
  const isAtOnce = startsAtOnce && atOnce.length <= LONGEST_COMMAND;
  let reply = await dialogue.askInSecret(isAtOnce ? atOnce : `AUTH ${name}`);
  // An empty challenge asks for the first response, even if that was sent with the command.
  const rest = isAtOnce && reply.text.trim() !== String(CHALLENGE) ? said.slice(1) : said;
  for (const response of [...rest, '']) {
    if (reply.code === CHALLENGE) reply = await dialogue.askInSecret(response);
  }
  return reply;
}
