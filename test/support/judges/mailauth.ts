import { Resolver } from 'node:dns/promises';
import { dkimVerify } from 'mailauth';
import type { DnsServer } from '../dns/dns-server.js';
import type { JudgedMessage, SignatureVerdicts } from './judged-message.js';

/** The word of mailauth, a verifier in JavaScript. */
export async function askMailauth(messages: readonly JudgedMessage[], dns: DnsServer): Promise<SignatureVerdicts> {
  const lookUp = new Resolver();
  lookUp.setServers([dns.address]);
  const options = { resolver: (name: string) => lookUp.resolveTxt(name) } as Parameters<typeof dkimVerify>[1];
  const verdicts = messages.map(async ({ name, raw }) => {
    const { results } = await dkimVerify(raw, options);
    const signatures = results.filter(({ status }) => status.result !== 'none');
    return [
      name,
      signatures.map(({ signingDomain, selector = '', status }) => ({
        domain: signingDomain,
        selector,
        isValid: status.result === 'pass' && !status.underSized,
      })),
    ] as const;
  });
  return new Map(await Promise.all(verdicts));
}
