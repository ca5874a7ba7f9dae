import type { SmtpStage } from '../../index.js';

/** Postfix names the command that was refused: `(in reply to RCPT TO command)` (src/smtp/smtp_chat.c and smtp_proto.c). */
const IN_REPLY_TO = /\(in reply to (?:the )?(end of DATA|[A-Z]{4})\b/;

const STAGES: Readonly<Record<string, SmtpStage>> = {
  EHLO: 'helo',
  HELO: 'helo',
  MAIL: 'mail',
  RCPT: 'rcpt',
  DATA: 'data',
  'end of DATA': 'dot',
};

/** The point of the dialogue at which a reply was given, if the text says so. */
export function stageOf(text: string): SmtpStage | undefined {
  const command = IN_REPLY_TO.exec(text)?.[1];
  return command !== undefined && Object.hasOwn(STAGES, command) ? STAGES[command] : undefined;
}
