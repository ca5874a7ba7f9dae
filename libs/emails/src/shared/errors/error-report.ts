import { TypeORMError } from 'typeorm';
import { sqlState } from './database-errors.js';

/** Errors that are told of a chain of causes, and of those in one place. */
const MOST_ERRORS = 5;
/** Those that are looked at, for what they quote. */
const MOST_CAUSES = 100;
const MOST_FRAMES = 12;
/** Characters. */
const LONGEST_MESSAGE = 1_000;

/** A line of a stack, and no line of a message that looks like one. */
const FRAME = /^\s+at .*(:\d+:\d+|<anonymous>|native)\)?$/;
/** What an SMTP server replies begins with: a code, and perhaps an enhanced status (RFC 3463). */
const REPLY = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/;

/**
 * An error for the log: its kind, message and stack, and those of what caused it. Texts of the database, of SMTP servers
 * and of parsers quote content and addresses: of these there is the SQLSTATE, or the reply's code and enhanced status, and
 * the stack. So it is of what they caused: its message may quote theirs. Never throws.
 */
export function errorReport(error: unknown): string {
  try {
    const chain = chainOf(error);
    const lastQuoting = chain.findLastIndex(isQuoting);
    const told = chain.slice(0, MOST_ERRORS).map((one, at) => describe(one, at <= lastQuoting));
    return chain.length === 0 ? thrown(error) : told.join('\nCaused by ');
  } catch {
    return 'A value was thrown that cannot be looked at.';
  }
}

/** The error, what it holds, what caused it, and so on. */
function chainOf(error: unknown, chain: Error[] = []): Error[] {
  if (!(error instanceof Error) || chain.includes(error) || chain.length === MOST_CAUSES) return chain;
  chain.push(error);
  if (error instanceof AggregateError) for (const one of error.errors) chainOf(one, chain);
  return chainOf(error.cause, chain);
}

function describe(error: Error, isQuiet: boolean): string {
  const message = String(error.message);
  const kind = [String(error.name), ...codesOf(error)].join(' ');
  const title = isQuiet || message === '' ? kind : `${kind}: ${message.slice(0, LONGEST_MESSAGE)}`;
  return [title, ...framesOf(error, message)].join('\n');
}

/** SQLSTATE or another code, and what an SMTP server replied as far as it is no text. */
function codesOf(error: Error): string[] {
  const { response, responseCode } = error as { response?: unknown; responseCode?: unknown };
  const reply = typeof response === 'string' ? REPLY.exec(response)?.[0] : undefined;
  const code = typeof responseCode === 'number' ? String(responseCode) : undefined;
  return [sqlState(error), reply ?? code].filter((part) => part !== undefined);
}

function isQuoting(error: Error): boolean {
  return (
    error instanceof TypeORMError ||
    error instanceof SyntaxError ||
    error instanceof URIError ||
    ['severity', 'driverError', 'responseCode', 'command', 'rejected'].some((property) => property in error)
  );
}

function framesOf({ stack }: Error, message: string): string[] {
  if (typeof stack !== 'string') return [];
  const behind = stack.includes(message) ? stack.indexOf(message) + message.length : 0;
  const lines = stack.slice(behind).split('\n');
  return lines.filter((line) => FRAME.test(line)).slice(0, MOST_FRAMES);
}

function thrown(value: unknown): string {
  return typeof value === 'string'
    ? `A text was thrown: ${value.slice(0, LONGEST_MESSAGE)}`
    : `A value that is not an error was thrown: ${value === null ? 'null' : typeof value}.`;
}
