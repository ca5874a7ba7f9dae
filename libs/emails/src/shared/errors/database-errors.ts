/**
 * Includes a server without writes (25006), as after a failover, or without logins at the moment (28, 3D); a lock
 * timeout; a statement that took too long or was canceled.
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
 * System calls that only a connection to a server makes. Any code counts for them, such as the ENOENT of a Unix socket;
 * for other calls the same code concerns a file.
 */
const CONNECTING = new Set<unknown>(['connect', 'getaddrinfo']);
const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|Driver not Connected|Query runner already released|provided by a query runner was already released/i;

/** Error of a pool whose connections were all in use for too long. */
const NO_CONNECTION = /^timeout exceeded when trying to connect$/;

/**
 * SQLSTATEs of a connection that ends before or after the statement was done, from a server or a pooler; a full disk
 * too.
 */
const ENDS_CONNECTION = /^(08|57P|58|XX|40003|53100)/;

/** node-postgres refused to send the statement. */
const NOT_SENT = /is not queryable/;

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * A statement was sent, and its connection ended before the answer: the statement may be committed now, later or never.
 */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';

  constructor(options: { cause: unknown }) {
    super('The connection was lost before it was known whether a statement was committed.', options);
  }
}

/**
 * True when the statement failed because PostgreSQL cannot be reached or cannot serve now (SQLSTATE 08, 25006, 25P03,
 * 25P04, 28, 3D, 53, 55P03, 57014, 57P, 58). Errors of the system about files do not count.
 *
 * @example
 * ```ts
 * try {
 *   await dataSource.query('SELECT 1');
 * } catch (error) {
 *   if (isDatabaseUnavailable(error)) console.warn('The database is away.');
 * }
 * ```
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
 * True when a statement about many rows failed for none of them: the server or the connection caused it. An input or
 * output error (SQLSTATE 58) may concern one row's page.
 */
export function isNoRowsFault(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !hasState(error, /^58/);
}

/** True when a retry may succeed a moment later, also after a conflict with other transactions (SQLSTATE 40). */
export function isPassing(error: unknown): boolean {
  return isDatabaseUnavailable(error) || hasState(error, /^40/);
}

/** True when PostgreSQL refused a value (SQLSTATE class 22): the last net behind validation. */
export function isDataError(error: unknown): boolean {
  return hasState(error, /^22/);
}

/**
 * True when PostgreSQL seems to be up, but had no time, memory or connection for the statement, or other transactions
 * conflicted (SQLSTATE 40, 53200, 53300, 55P03, 57014).
 */
export function isDatabaseBusy(error: unknown): boolean {
  return (
    hasState(error, /^(40|53200|53300|55P03|57014)/) || (error instanceof Error && NO_CONNECTION.test(error.message))
  );
}

/** True when a unique value is in use. */
export function isUniqueViolation(error: unknown): boolean {
  return hasState(error, /^23505/);
}

/** True when a lock was not granted within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && sqlState(error) === LOCK_NOT_AVAILABLE;
}

/** True when a statement took longer than `statement_timeout`, or was canceled. */
export function isStatementEnded(error: unknown): boolean {
  return hasState(error, /^57014/);
}

/**
 * True when this failure of a statement, in the form of node-postgres, proves that nothing of it was or will be done.
 */
export function isKnownFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // Only errors from the server have a severity; their code is a SQLSTATE.
  const isFromServer = 'severity' in error && error.severity !== undefined;
  return isFromServer ? !ENDS_CONNECTION.test(sqlState(error) ?? '') : NOT_SENT.test(error.message);
}

function hasState(error: unknown, pattern: RegExp): boolean {
  return error instanceof Error && pattern.test(sqlState(error) ?? '');
}

/** SQLSTATE, or the code of a socket's error; undefined without either. */
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
