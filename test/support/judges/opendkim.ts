import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DnsServer } from '../dns/dns-server.js';
import { type JudgedMessage, type SignatureVerdict, type SignatureVerdicts, withUnixLines } from './judged-message.js';
import { keysOf } from './keys-of.js';
import { runProgram } from './run-program.js';

/** A result in the field that it would add (RFC 8601): `dkim=pass (2048-bit key) header.d=… header.s=…`. */
const RESULT = /\bdkim=(\w+)(?:\s+(?:reason="[^"]*"|\([^)]*\)))*\s+header\.d=(\S+)\s(?:[^;]*?)\bheader\.s=(\S+)/g;

/** The word of OpenDKIM, the verifier of many servers. Its test mode reads files with LF. */
export async function askOpenDkim(messages: readonly JudgedMessage[], dns: DnsServer): Promise<SignatureVerdicts> {
  const folder = mkdtempSync(join(tmpdir(), 'emails-test-opendkim-'));
  const [config, keys, file] = ['opendkim.conf', 'keys', 'message'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  try {
    const lines = Object.entries(keysOf(dns.zone)).map((key) => key.join(' '));
    writeFileSync(keys, `${lines.join('\n')}\n`);
    writeFileSync(config, `Mode v\nDomain judged.test\nTestDNSData file:${keys}\n`);
    const verdicts = new Map<string, SignatureVerdict[]>();
    for (const { name, raw } of messages) {
      writeFileSync(file, withUnixLines(raw));
      const { output, errors } = await runProgram('opendkim', ['-x', config, '-t', file, '-v', '-v']);
      verdicts.set(name, resultsIn(output + errors));
    }
    return verdicts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function resultsIn(output: string): SignatureVerdict[] {
  return [...output.matchAll(RESULT)].map(([, result, domain = '', selector = '']) => ({
    domain,
    selector,
    isValid: result === 'pass',
  }));
}
