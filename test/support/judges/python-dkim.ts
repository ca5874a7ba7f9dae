import { fileURLToPath } from 'node:url';
import type { DnsServer } from '../dns/dns-server.js';
import type { JudgedMessage, SignatureVerdict, SignatureVerdicts } from './judged-message.js';
import { keysOf } from './keys-of.js';
import { runProgram } from './run-program.js';

/** The system's, which has the packages of the system. Another may come first on PATH. */
const PYTHON = '/usr/bin/python3';
const PROGRAM = fileURLToPath(new URL('./verify-dkim.py', import.meta.url));

/** The word of dkimpy, a verifier in Python. */
export async function askPythonDkim(messages: readonly JudgedMessage[], dns: DnsServer): Promise<SignatureVerdicts> {
  const given = {
    keys: keysOf(dns.zone),
    messages: Object.fromEntries(messages.map(({ name, raw }) => [name, raw.toString('base64')])),
  };
  const { output } = await runProgram(PYTHON, [PROGRAM], { input: JSON.stringify(given) });
  return new Map(Object.entries(JSON.parse(output) as Record<string, SignatureVerdict[]>));
}
