import { type NamedTransport, SmtpTransport } from 'nestjs-emails';

/** Limits in the query of an SMTP URL that are not the connection's. */
const LIMITS = ['maxPerSecond', 'maxPerDay'] as const;

/** @param hops one for each URL */
export function transportsOf(smtpUrls: readonly string[], hops: readonly ('final' | 'relay')[]): NamedTransport[] {
  return smtpUrls.map((smtpUrl, at) => {
    const { url, limits } = withoutLimits(smtpUrl);
    return { transport: new SmtpTransport({ url, hop: hops[at] ?? 'relay' }), ...limits };
  });
}

/** Takes the limits out of the query; nothing else in the URL changes. */
export function withoutLimits(smtpUrl: string): { url: string; limits: Pick<NamedTransport, (typeof LIMITS)[number]> } {
  const [whole = '', ...hash] = smtpUrl.split('#');
  const [base = '', ...rest] = whole.split('?');
  const parameters = rest.join('?').split('&').filter(Boolean);
  const nameOf = (parameter: string) => [...new URLSearchParams(parameter).keys()][0];
  const isLimit = (parameter: string) => LIMITS.some((name) => name === nameOf(parameter));
  const query = parameters.filter((parameter) => !isLimit(parameter)).join('&');
  const given = new URLSearchParams(parameters.filter(isLimit).join('&'));
  const limits = Object.fromEntries([...given].map(([name, value]) => [name, Number(value)]));
  return { url: [query === '' ? base : `${base}?${query}`, ...hash].join('#'), limits };
}
