/** Describes an error for a log line. */
export interface ErrorDescription {
  type: string;
  code?: string;
  message?: string;
  /** Stack frames, without the message that starts a stack. */
  stack?: string[];
  cause?: ErrorDescription;
}

const MAX_FRAMES = 12;

/**
 * An error without data of callers or recipients, and without secrets. Messages of PostgreSQL, of the JSON parser and
 * of SMTP servers quote values, so those keep only their codes; other properties, such as a statement's parameters, are
 * dropped.
 */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) {
    return { type: typeof error };
  }
  const code = codeOf(error);
  const stack = framesOf(error.stack);
  return {
    type: error.constructor.name,
    ...(code !== undefined && { code }),
    ...(!quotesValues(error) && { message: error.message }),
    ...(stack.length > 0 && { stack }),
    ...(error.cause instanceof Error && error.cause !== error && { cause: describeError(error.cause) }),
  };
}

function quotesValues(error: Error): boolean {
  return (
    error instanceof SyntaxError ||
    error instanceof URIError ||
    ['severity', 'driverError', 'parameters', 'response', 'responseCode'].some((property) => property in error)
  );
}

function codeOf(error: Error): string | undefined {
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = code ?? driverError?.code;
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

/** The frames of a stack, without its first message. */
export function framesOf(stack = ''): string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim());
}
