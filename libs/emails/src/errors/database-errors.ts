const UNAVAILABLE_SQLSTATE = /^(08|40|53|55P03|57|58)/;
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
]);
const UNAVAILABLE_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end/i;

/**
 * True when the statement failed because PostgreSQL cannot be reached or cannot serve now: SQLSTATE 08, 53, 57 (a
 * statement that took too long among them), 58, 40 and 55P03 (somebody else was in the way).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  const code = sqlState(error);
  if (code !== undefined && (UNAVAILABLE_CODES.has(code) || UNAVAILABLE_SQLSTATE.test(code))) return true;
  return UNAVAILABLE_MESSAGES.test(error.message);
}

/** True when PostgreSQL refused a value (SQLSTATE class 22): the last net behind validation. */
export function isDataError(error: unknown): boolean {
  return error instanceof Error && /^22/.test(sqlState(error) ?? '');
}

function sqlState(error: Error): string | undefined {
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = code ?? driverError?.code;
  return typeof found === 'string' ? found : undefined;
}
