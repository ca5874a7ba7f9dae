import type { SmtpStage } from '../../index.js';

/** Words of server software for the command that was refused. The first match counts. */
const STAGES: readonly [RegExp, SmtpStage][] = [
  // Postfix: src/smtp/smtp_proto.c.
  [/\(in reply to (?:the )?end of DATA\b/i, 'dot'],
  [/\(in reply to (?:the )?RCPT\b/i, 'rcpt'],
  [/\(in reply to (?:the )?MAIL\b/i, 'mail'],
  [/\(in reply to (?:the )?(?:EHLO|HELO)\b/i, 'helo'],
  [/\(in reply to (?:the )?DATA\b/i, 'data'],
  // Exim: src/transports/smtp.c.
  [/\bafter (?:\w+ )?end of data\b/i, 'dot'],
  [/\bafter (?:pipelined )?(?:sending )?RCPT TO:/i, 'rcpt'],
  [/\bafter (?:pipelined )?(?:sending )?MAIL FROM:/i, 'mail'],
  [/\bafter (?:EHLO|HELO)\b/i, 'helo'],
  [/\bafter (?:pipelined )?DATA\b/i, 'data'],
  [/\bafter initial connection\b/i, 'connect'],
  // qmail: qmail-remote.c.
  [/\bdoes not like recipient\b/i, 'rcpt'],
  [/\bbut sender was rejected\b/i, 'mail'],
  [/\bbut my name was rejected\b/i, 'helo'],
  [/\bbut greeting failed\b/i, 'connect'],
  [/\bfailed on DATA command\b/i, 'data'],
  [/\bfailed after I sent the message\b/i, 'dot'],
  // DragonFly Mail Agent: net.c.
  [/\bdid not like our final DATA\b/i, 'dot'],
  [/\bdid not like our RCPT\b/i, 'rcpt'],
  [/\bdid not like our MAIL\b/i, 'mail'],
  [/\bdid not like our (?:EHLO|HELO)\b/i, 'helo'],
  // sendmail quotes the dialogue.
  [/^>>> RCPT\b/im, 'rcpt'],
  [/^>>> MAIL\b/im, 'mail'],
  [/^>>> (?:EHLO|HELO)\b/im, 'helo'],
  // With pipelining the answer to RCPT comes after DATA, and then DATA is out of sequence.
  [/^>>> DATA\b[^\n]*\n<<< [45]\d\d(?!(?:[^\n]*\n){0,12}?[^\n]*\b(?:503|RCPT|valid recipients)\b)/im, 'dot'],
];

/** The point of the dialogue at which a reply was given, if the text says so. */
export function stageOf(text: string): SmtpStage | undefined {
  return STAGES.find(([words]) => words.test(text))?.[1];
}
