import { execFileSync } from 'node:child_process';
import { createPrivateKey, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An authority like Amazon's, with an intermediate one, and certificates that it signed: made by openssl for these tests. */
export interface SnsChain {
  root: string;
  /** DER, as at the address that `leaf` names. */
  intermediate: Buffer;
  /** Of `sns.amazonaws.com`, in PEM. */
  leaf: string;
  /** Signed as well, of a host that is not SNS. */
  stranger: string;
  /** Signed as well, and over. */
  expired: string;
  /** Of `sns.amazonaws.com`, signed by itself. */
  selfSigned: string;
  /** Of `sns.amazonaws.com`, signed by a certificate that is no authority. */
  signedByLeaf: string;
  /** Signs as all of these. */
  key: string;
}

/** The address in these certificates at which the intermediate one is. */
export const ISSUER_URL = 'http://crt.authority.test/intermediate.cer';

export function makeSnsChain(): SnsChain {
  const folder = mkdtempSync(join(tmpdir(), 'sns-chain-'));
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const text = (name: string) => readFileSync(at(name), 'utf8');
  const keyOf = (name: string) => openssl('genrsa', '-out', `${name}.key`, '2048');
  const signed = (name: string, subject: string, issuer: string, extensions: string, ...period: string[]) => {
    const given = subject === 'intermediate' ? 'intermediate.key' : 'leaf.key';
    writeFileSync(at(`${name}.ext`), extensions);
    openssl('req', '-new', '-key', given, '-subj', `/CN=${subject}`, '-out', `${name}.csr`);
    const dates = period.length > 0 ? period : ['-days', '30'];
    const by = ['-CA', `${issuer}.pem`, '-CAkey', issuer === 'leaf' ? 'leaf.key' : `${issuer}.key`, '-CAcreateserial'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...by, ...dates, '-extfile', `${name}.ext`, '-out', `${name}.pem`);
  };
  const ofServer = (host: string) =>
    `basicConstraints=CA:FALSE\nsubjectAltName=DNS:${host}\nauthorityInfoAccess=caIssuers;URI:${ISSUER_URL}\n`;
  try {
    for (const name of ['root', 'intermediate', 'leaf']) keyOf(name);
    const authority = ['-addext', 'basicConstraints=critical,CA:TRUE'];
    openssl('req', '-x509', '-key', 'root.key', '-subj', '/CN=root', '-days', '30', ...authority, '-out', 'root.pem');
    signed('intermediate', 'intermediate', 'root', 'basicConstraints=critical,CA:TRUE\n');
    openssl('x509', '-in', 'intermediate.pem', '-outform', 'der', '-out', 'intermediate.der');
    signed('leaf', 'sns.amazonaws.com', 'intermediate', ofServer('sns.amazonaws.com'));
    signed('stranger', 'example.com', 'intermediate', ofServer('sns.amazonaws.com.example.com'));
    signed('expired', 'sns.amazonaws.com', 'intermediate', ofServer('sns.amazonaws.com'), '-days', '-1');
    signed('signedByLeaf', 'below', 'leaf', ofServer('sns.amazonaws.com'));
    const self = ['-subj', '/CN=sns.amazonaws.com', '-days', '30', '-addext', 'subjectAltName=DNS:sns.amazonaws.com'];
    openssl(
      'req',
      '-x509',
      '-key',
      'leaf.key',
      ...self,
      '-addext',
      'basicConstraints=critical,CA:FALSE',
      '-out',
      'selfSigned.pem',
    );
    return {
      root: text('root.pem'),
      intermediate: readFileSync(at('intermediate.der')),
      leaf: text('leaf.pem'),
      stranger: text('stranger.pem'),
      expired: text('expired.pem'),
      selfSigned: text('selfSigned.pem'),
      signedByLeaf: text('signedByLeaf.pem') + text('leaf.pem'),
      key: text('leaf.key'),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A message of SNS as it is sent, signed. */
export function snsBody(fields: Record<string, unknown>, key: string, hash = 'sha256'): Buffer {
  const names = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const isSigned = (name: string) =>
    fields[name] !== undefined &&
    (fields.Type === 'Notification' ? !/^(Sub.*URL|Token)$/.test(name) : name !== 'Subject');
  const text = names
    .filter(isSigned)
    .map((name) => `${name}\n${fields[name]}\n`)
    .join('');
  const Signature = sign(hash, Buffer.from(text), createPrivateKey(key)).toString('base64');
  return Buffer.from(JSON.stringify({ SignatureVersion: hash === 'sha1' ? '1' : '2', Signature, ...fields }));
}
