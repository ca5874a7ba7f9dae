/** Why a call got no answer, in fixed words that reveal nothing of the network that the call was made from. */
export type CallFailure =
  | 'address not allowed'
  | 'dns'
  | 'connection refused'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'connection reset'
  | 'answer too large'
  | 'invalid answer';

/** A call without an answer. Unless it was refused or `dns`, the endpoint may still have received it. */
export class CallError extends Error {
  override readonly name = 'CallError';

  constructor(
    readonly reason: CallFailure,
    options?: ErrorOptions,
  ) {
    super(`The call failed: ${reason}.`, options);
  }
}

/** How far a connection has come. */
export type Stage = 'looking up' | 'connecting' | 'securing' | 'connected';

const AT_STAGE: Readonly<Record<Stage, CallFailure>> = {
  'looking up': 'dns',
  connecting: 'unreachable',
  securing: 'tls',
  connected: 'connection reset',
};

const BY_CODE: Readonly<Record<string, CallFailure>> = {
  ECONNREFUSED: 'connection refused',
  ETIMEDOUT: 'timeout',
  HPE_HEADER_OVERFLOW: 'answer too large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'answer too large',
};

/** Reasons by error code of Node's client. */
export function callErrorOf(error: unknown, stage: Stage): CallError {
  if (error instanceof CallError) return error;
  const code = String((error as { code?: unknown } | undefined)?.code);
  return new CallError(reasonOf(code, stage), { cause: error });
}

function reasonOf(code: string, stage: Stage): CallFailure {
  const known = stage === 'securing' ? undefined : BY_CODE[code];
  if (known) return known;
  if (code.startsWith('HPE_')) return 'invalid answer';
  // A server may reject the TLS handshake after the client considers it complete.
  return code.startsWith('ERR_SSL') ? 'tls' : AT_STAGE[stage];
}
