import type { JudgedMessage } from './judged-message.js';

/** A change that no signature may survive. */
export type Forgery = (raw: string) => string;

const inFront = (field: string, before: RegExp) => (raw: string) => {
  const at = raw.search(before);
  if (at === -1) throw new Error(`The message has no ${before}.`);
  return `${raw.slice(0, at + 2)}${field}\r\n${raw.slice(at + 2)}`;
};

/** Changes by their name. Each adds or alters one thing, in Latin-1. */
export const FORGERIES: Readonly<Record<string, Forgery>> = {
  'a second Subject': inFront('Subject: You won', /\r\nSubject:/i),
  'a second From': inFront('From: Your bank <bank@bank.test>', /\r\nFrom:/i),
  'one changed byte of the body': (raw) => {
    const body = raw.search(/\r\n\r\n/) + 4;
    return raw.slice(0, body) + raw.slice(body).replace(/[A-Za-z]/, (letter) => (letter === 'x' ? 'y' : 'x'));
  },
  'text after the body': (raw) => `${raw}Send money to this account.\r\n`,
  'an added List-Unsubscribe-Post': inFront('List-Unsubscribe-Post: List-Unsubscribe=One-Click', /\r\nSubject:/i),
};

/** The message, forged in each way. */
export function forged(message: JudgedMessage): JudgedMessage[] {
  return Object.entries(FORGERIES).map(([name, forge]) => ({
    ...message,
    name: `${message.name}: ${name}`,
    raw: Buffer.from(forge(message.raw.toString('latin1')), 'latin1'),
  }));
}
