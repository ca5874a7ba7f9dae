/** The TXT records of a key, or the code of the error of its look-up. */
export type KeyAnswer = { records: string[][] } | { code: string };

/** A report whose signatures are to be verified. */
export interface ToVerify {
  message: Uint8Array;
  /** Domains in lower case whose signatures count. */
  senders: readonly string[];
  /** Answers by the DNS name of the key, in lower case. Others do not exist. */
  keys: Readonly<Record<string, KeyAnswer>>;
}

/** `unknown`: a key could not be looked up now. */
export type Verdict = 'pass' | 'fail' | 'unknown';

/** Verifies the signatures of a report (DKIM, RFC 6376). Needs the package `mailauth`. */
export async function verifySignatures({ message, senders, keys }: ToVerify): Promise<Verdict> {
  const { dkimVerify } = await import('mailauth');
  const resolver = async (name: string) => {
    const answer = Object.hasOwn(keys, name.toLowerCase()) ? keys[name.toLowerCase()] : undefined;
    if (answer && 'records' in answer) return answer.records;
    throw Object.assign(new Error('There is no key.'), { code: answer?.code ?? 'ENOTFOUND' });
  };
  const { results } = await dkimVerify(Buffer.from(message), { resolver } as Parameters<typeof dkimVerify>[1]);
  const ours = results.filter(({ signingDomain }) => senders.includes(String(signingDomain).toLowerCase()));
  // The signatures that count cover the whole body: this is to be sure that they were read right.
  if (ours.some(({ status }) => status.result === 'pass' && !status.underSized)) return 'pass';
  return ours.some(({ status }) => status.result === 'temperror') ? 'unknown' : 'fail';
}
