/** Matches a SQLSTATE, but not Prisma's codes (`P2010`) or those of the system (`EPIPE`). */
const SQLSTATE = /^(?!P[1-9])[0-9A-Z]{3}\d[0-9A-Z]$/;
/** Limit of nested wrappers that are searched. */
const DEPTH = 8;

interface Wrapper {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  /** Error data of Prisma. */
  originalCode?: unknown;
  originalMessage?: unknown;
  meta?: { driverAdapterError?: unknown };
}

/**
 * Moves the SQLSTATE of a failed statement to the error itself: each ORM wraps the driver's error in its own way, and
 * puts statements and values into the message.
 */
export async function withSqlState<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw unwrapped(error);
  }
}

function unwrapped(error: unknown): unknown {
  let at = error as Wrapper | null | undefined;
  for (let depth = 0; typeof at === 'object' && at !== null && depth < DEPTH; depth++) {
    const { code, originalCode = code, message, originalMessage = message } = at;
    if (typeof originalCode === 'string' && SQLSTATE.test(originalCode)) {
      if (at === error && code === originalCode) return error;
      return Object.assign(new Error(String(originalMessage), { cause: error }), { code: originalCode });
    }
    at = (at.cause ?? at.meta?.driverAdapterError) as Wrapper | undefined;
  }
  return error;
}
