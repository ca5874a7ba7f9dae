import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DnsServer } from '../dns/dns-server.js';
import { asReceived, type JudgedMessage, withUnixLines } from './judged-message.js';
import { runProgram } from './run-program.js';

/** Points by rule. Below 0: in favour. */
export type Points = Readonly<Record<string, number>>;

/** Nothing outside this machine: neither block lists nor statistics. */
const preferences = (dns: DnsServer) => `dns_available yes
dns_server [127.0.0.1]:${dns.port}
skip_rbl_checks 1
use_bayes 0
report_safe 0
clear_headers
add_header all Rules _TESTSSCORES(,)_
fold_headers 0
`;

/** The points of SpamAssassin, by the name of the message. One run for all: it needs a second to start. */
export async function askSpamAssassin(
  messages: readonly JudgedMessage[],
  dns: DnsServer,
): Promise<ReadonlyMap<string, Points>> {
  const folder = mkdtempSync(join(tmpdir(), 'emails-test-spamassassin-'));
  try {
    const config = join(folder, 'preferences');
    writeFileSync(config, preferences(dns));
    const files = messages.map((message, index) => {
      const file = join(folder, `${index}.eml`);
      writeFileSync(file, withUnixLines(asReceived(message)));
      return file;
    });
    const { output } = await runProgram('spamassassin', ['-x', '-p', config, ...files], { env: { HOME: folder } });
    const rules = [...output.matchAll(/^X-Spam-Rules: (.*)$/gm)].map(([, list = '']) => pointsIn(list));
    if (rules.length !== messages.length) throw new Error(`SpamAssassin judged ${rules.length} of ${messages.length}.`);
    return new Map(messages.map(({ name }, index) => [name, rules[index] ?? {}]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function pointsIn(list: string): Points {
  const pairs = list.split(',').map((pair) => pair.trim().split('='));
  return Object.fromEntries(
    pairs.filter(([, points]) => points !== undefined).map(([rule, points]) => [rule, Number(points)]),
  );
}
