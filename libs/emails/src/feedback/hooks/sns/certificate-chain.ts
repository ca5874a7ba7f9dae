import { X509Certificate } from 'node:crypto';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** Certificates between that of SNS and a root, at most. */
const LONGEST = 3;

/** Where a chain comes from, and where it ends. */
export interface ChainSources {
  /** Trusted roots. */
  roots: readonly X509Certificate[];
  /** Fetches the certificate at an address that another one names as its issuer's. */
  fetch: (url: string) => Promise<Buffer>;
  now: number;
}

/** Certificates in PEM, or the one in DER. @throws Error for anything else */
export function certificatesIn(bytes: Buffer): X509Certificate[] {
  const texts = bytes.toString('latin1').match(PEM);
  return texts ? texts.slice(0, LONGEST + 1).map((text) => new X509Certificate(text)) : [new X509Certificate(bytes)];
}

/**
 * True if a chain leads from the first of these to a trusted root. Missing issuers are fetched: SNS gives its own certificate
 * alone.
 */
export async function leadsToRoot(given: readonly X509Certificate[], sources: ChainSources): Promise<boolean> {
  const { roots, now } = sources;
  let [current] = given;
  for (let step = 0; current && step <= LONGEST; step++) {
    const last: X509Certificate = current;
    if (!isValid(last, now)) return false;
    if (roots.some((root) => isValid(root, now) && isIssuedBy(last, root))) return true;
    const issuer: X509Certificate | undefined =
      given.find((one) => isIssuedBy(last, one)) ?? (await issuerOf(last, sources));
    current = issuer?.ca && isIssuedBy(last, issuer) ? issuer : undefined;
  }
  return false;
}

async function issuerOf(
  { infoAccess }: X509Certificate,
  { fetch }: ChainSources,
): Promise<X509Certificate | undefined> {
  const url = /^CA Issuers - URI:(\S+)$/m.exec(infoAccess ?? '')?.[1];
  return url === undefined ? undefined : certificatesIn(await fetch(url))[0];
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate !== issuer && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function isValid({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo);
}
