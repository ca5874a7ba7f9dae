import { TypeORMError } from 'typeorm';
import { sqlState } from './database-errors.js';

/** Limits of reported errors in a chain of causes, and in one aggregate. */
const MAX_ERRORS = 5;
/** Limit of errors that are searched for quotes. */
const MAX_CAUSES = 100;
const MAX_FRAMES = 12;
/** Characters. */
const LONGEST_MESSAGE = 1_000;

/** A line of a stack, but not a line of a message that looks like one. */
const FRAME = /^\s+at .*(:\d+:\d+|<anonymous>|native)\)?$/;
/** Beginning of an SMTP reply: a code, and perhaps an enhanced status (RFC 3463). */
const REPLY = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/;

/**
 * An error for the log: its kind, message and stack, and those of what caused it. Messages of the database, of SMTP
 * servers and of parsers quote content and addresses. Of these it reports only the SQLSTATE, or the reply's code and
 * enhanced status, and the stack. The same applies to errors that they caused, whose messages may quote theirs. Never
 * throws.
 */
export function errorReport(error: unknown): string {
  try {
    const chain = chainOf(error);
    const lastQuoting = chain.findLastIndex(isQuoting);
    const described = chain.slice(0, MAX_ERRORS).map((one, at) => describe(one, at <= lastQuoting));
    return chain.length === 0 ? thrown(error) : described.join('\nCaused by ');
  } catch {
    return 'A value was thrown that cannot be looked at.';
  }
}

/** The error, the errors within it, their causes, and so on. */
function chainOf(error: unknown, chain: Error[] = []): Error[] {
  if (!(error instanceof Error) || chain.includes(error) || chain.length === MAX_CAUSES) return chain;
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

/** SQLSTATE or another code, and the numeric part of an SMTP reply. */
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
  return lines.filter((line) => FRAME.test(line)).slice(0, MAX_FRAMES);
}

function thrown(value: unknown): string {
  return typeof value === 'string'
    ? `A text was thrown: ${value.slice(0, LONGEST_MESSAGE)}`
    : `A value that is not an error was thrown: ${value === null ? 'null' : typeof value}.`;
}
