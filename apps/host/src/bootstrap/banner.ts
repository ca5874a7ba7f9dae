import type { Settings } from '../config/settings.js';
import { bootstrapKeyPath } from './bootstrap-key-file.js';
import type { Served } from './serve.js';

const EMAIL = JSON.stringify({
  from: 'You <you@example.com>',
  to: 'delivered@example.com',
  subject: 'Hello',
  html: '<p>It <b>works</b>.</p>',
});

/** Lines for an operator after the start: the address, a key, and a command to try it. */
export function banner({ address, apiKey, page }: Served, { role, dataDir }: Settings, hasInbox: boolean): string {
  const lines = [
    '',
    role === 'worker' ? 'nestjs-emails delivers.' : 'nestjs-emails is ready.',
    '',
    `  Address  ${address}`,
    ...(apiKey === undefined ? [] : [`  API key  ${apiKey}  (kept in ${bootstrapKeyPath(dataDir)})`]),
    ...(page === undefined ? [] : [`  Page     ${page}${page.includes('#') ? '  (signs in once)' : ''}`]),
    ...(hasInbox ? [`  Inbox    ${address}/inbox`] : []),
    ...(role === 'worker' ? [] : ['', '  Send an email:', '', `  ${curl(address, apiKey)}`]),
    '',
    '',
  ];
  return lines.join('\n');
}

/** On one line, so that it can be pasted anywhere. The shell fills in a key that the operator chose. */
function curl(address: string, apiKey = '$BOOTSTRAP_API_KEY'): string {
  // Shells treat brackets, as in an IPv6 address, as a pattern.
  const url = address.includes('[') ? `'${address}/emails'` : `${address}/emails`;
  return `curl ${url} -H "Authorization: Bearer ${apiKey}" -H 'Content-Type: application/json' -d '${EMAIL}'`;
}
