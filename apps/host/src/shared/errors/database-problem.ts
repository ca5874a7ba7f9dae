import { isDatabaseUnavailable } from 'nestjs-emails';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers at that address',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved now',
  EHOSTUNREACH: 'there is no route to that address',
  ETIMEDOUT: 'there was no answer in time',
  '28P01': 'the server refused the user or the password',
  '28000': 'the server refused the user or the password',
  '3D000': 'the database does not exist',
  '53300': 'the server has too many connections',
  '57P03': 'the server is starting up or shutting down',
};

/** The reason why PostgreSQL cannot be used, for an operator; without address, user or quotes of the server. */
export function databaseProblem(error: unknown): string {
  const code = error instanceof Error ? codeOf(error) : undefined;
  if (code !== undefined) {
    return `${REASONS[code] ?? 'it answered with an error'} (${code})`;
  }
  return isDatabaseUnavailable(error) ? 'there was no answer in time' : 'it does not answer like PostgreSQL';
}

function codeOf(error: Error): string | undefined {
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = code ?? driverError?.code;
  return typeof found === 'string' ? found : undefined;
}
