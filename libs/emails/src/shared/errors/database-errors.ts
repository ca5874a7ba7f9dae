/**
 * Also a server that takes no writes (25006), as after a failover, or nobody at the moment (28, 3D); a lock that did not come
 * in time; a statement that took too long or was ended.
 */
const UNAVAILABLE_SQLSTATE = /^(08|25006|25P03|25P04|28|3D|53|55P03|57014|57P|58)/;
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ECONNABORTED',
  'ENETDOWN',
  'ENETRESET',
  'EHOSTDOWN',
  'EPROTO',
  'ENOBUFS',
]);
/**
 * What reaches for a server and nothing else does: here any code counts, such as the ENOENT of a Unix socket. Of other calls
 * the same code is that of a file.
 */
const CONNECTING = new Set<unknown>(['connect', 'getaddrinfo']);
const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|Driver not Connected|Query runner already released|provided by a query runner was already released/i;

/** Of a pool all of whose connections were in use for too long. */
const NO_CONNECTION = /^timeout exceeded when trying to connect$/;

/** What a server or a pooler says of a connection that ends, whatever has become of the statement (SQLSTATE); a full disk too. */
const ENDS_CONNECTION = /^(08|57P|58|XX|40003|53100)/;

/** node-postgres refused to send the statement. */
const NOT_SENT = /is not queryable/;

const LOCK_NOT_AVAILABLE = '55P03';

/** A statement was sent, and its connection ended before its answer came: it may be committed or not, now or soon. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';

  constructor(options: { cause: unknown }) {
    super('The connection was lost before it was known whether a statement was committed.', options);
  }
}

/**
 * True when the statement failed because PostgreSQL cannot be reached or cannot serve now (SQLSTATE 08, 25006, 25P03,
 * 25P04, 28, 3D, 53, 55P03, 57014, 57P, 58). Not what the system says of a file.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof OutcomeUnknownError) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  const code = sqlState(error);
  if (code !== undefined && (UNAVAILABLE_CODES.has(code) || UNAVAILABLE_SQLSTATE.test(code))) return true;
  if (CONNECTING.has(syscallOf(error))) return true;
  return UNAVAILABLE_MESSAGES.test(error.message);
}

/**
 * True when a statement about many rows failed for none of them: the server or the connection is to blame. An input or
 * output error (SQLSTATE 58) may be that of one row's page.
 */
export function isNoRowsFault(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !hasState(error, /^58/);
}

/** True when the same may succeed a moment later: also where others were in the way (SQLSTATE 40). */
export function isPassing(error: unknown): boolean {
  return isDatabaseUnavailable(error) || hasState(error, /^40/);
}

/** True when PostgreSQL refused a value (SQLSTATE class 22): the last net behind validation. */
export function isDataError(error: unknown): boolean {
  return hasState(error, /^22/);
}

/**
 * True when PostgreSQL is there as far as is known, but had no time, memory or connection for the statement, or others were in its
 * way (SQLSTATE 40, 53200, 53300, 55P03, 57014).
 */
export function isDatabaseBusy(error: unknown): boolean {
  return (
    hasState(error, /^(40|53200|53300|55P03|57014)/) || (error instanceof Error && NO_CONNECTION.test(error.message))
  );
}

/** True when a value is taken that must be unique. */
export function isUniqueViolation(error: unknown): boolean {
  return hasState(error, /^23505/);
}

/** True when a lock did not come within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && sqlState(error) === LOCK_NOT_AVAILABLE;
}

/** True when a statement took longer than `statement_timeout`, or was ended by somebody. */
export function isStatementEnded(error: unknown): boolean {
  return hasState(error, /^57014/);
}

/** True when this failure of a statement, as node-postgres gives it, leaves no doubt: nothing of it was or will be done. */
export function isKnownFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Only what came from the server has a severity; its code is a SQLSTATE.
  const saidByServer = 'severity' in error && error.severity !== undefined;
  return saidByServer ? !ENDS_CONNECTION.test(sqlState(error) ?? '') : NOT_SENT.test(error.message);
}

function hasState(error: unknown, pattern: RegExp): boolean {
  return error instanceof Error && pattern.test(sqlState(error) ?? '');
}

/** SQLSTATE, or the code of a socket's error; undefined when it has neither. */
export function sqlState(error: Error): string | undefined {
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = code ?? driverError?.code;
  return typeof found === 'string' ? found : undefined;
}

/** The call of the operating system that failed, if one did. */
function syscallOf(error: Error): unknown {
  const { syscall, driverError } = error as { syscall?: unknown; driverError?: { syscall?: unknown } };
  return syscall ?? driverError?.syscall;
}
