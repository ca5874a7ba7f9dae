/** Why a call brought no answer, in fixed words: nothing of it tells of the network that the call was made from. */
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

/** A call without an answer. Where it was neither refused nor `dns`, the other side may have got it all the same. */
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

/** What an error of Node's client stands for. */
export function callErrorOf(error: unknown, stage: Stage): CallError {
  if (error instanceof CallError) return error;
  const code = String((error as { code?: unknown } | undefined)?.code);
  return new CallError(reasonOf(code, stage), { cause: error });
}

function reasonOf(code: string, stage: Stage): CallFailure {
  const known = stage === 'securing' ? undefined : BY_CODE[code];
  if (known) return known;
  if (code.startsWith('HPE_')) return 'invalid answer';
  // A server may refuse a client after the client has taken the connection for secured.
  return code.startsWith('ERR_SSL') ? 'tls' : AT_STAGE[stage];
}
