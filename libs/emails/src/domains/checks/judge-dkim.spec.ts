import type { WantedRecord } from '../records/wanted-record.js';
import { judgeDkim } from './judge-dkim.js';

const KEY = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(12);
const RECORD = `v=DKIM1; k=rsa; p=${KEY}`;
const WANTED: Extract<WantedRecord, { kind: 'dkim' }> = {
  kind: 'dkim',
  key: 'dkim s2611r',
  name: 's2611r._domainkey',
  value: RECORD,
  selector: 's2611r',
  algorithm: 'rsa',
  publicKey: KEY,
  retiredAt: null,
};
const judge = (...found: string[]) => judgeDkim(WANTED, found);

describe('judgeDkim', () => {
  it.each([
    RECORD,
    `p=${KEY}`,
    ` v = DKIM1 ; p = ${KEY} ; `,
    `v=DKIM1; n=a note; k=rsa; h=sha1:sha256; s=tlsrpt:email; t=s; p=${KEY.replace(/.{64}/g, '$& \t')}`,
  ])('compares tags by their meaning: %s', (text) => {
    expect(judge(text)).toEqual({ isRight: true, advice: [] });
  });

  it.each([
    ['v=DKIM2', `v=DKIM2; p=${KEY}`],
    ['v=DKIM1', `k=rsa; v=DKIM1; p=${KEY}`],
    ['k=ed25519', `v=DKIM1; k=ed25519; p=${KEY}`],
    ['h=sha1', `v=DKIM1; h=sha1; p=${KEY}`],
    ['s=tlsrpt', `v=DKIM1; s=tlsrpt; p=${KEY}`],
  ])('refuses the tag %s', (detail, text) => {
    expect(judge(text)).toEqual({ isRight: false, advice: [{ code: 'wrong_tag', detail }] });
  });

  it.each(['hello', 'v=DKIM1', `p=${KEY}; p=${KEY}`, `p=${KEY}; =x`])('finds no key in %j', (text) => {
    expect(judge(text)).toEqual({ isRight: false, advice: [{ code: 'not_a_key' }] });
  });

  it('counts no key next to another one, of which receivers read either', () => {
    const other = RECORD.replace('MIIB', 'MIIC');
    expect(judge(RECORD, other)).toEqual({ isRight: false, advice: [{ code: 'several_keys' }] });
    expect(judge(RECORD, 'verification=1')).toEqual({ isRight: true, advice: [{ code: 'several_keys' }] });
  });

  it('reads 64 kB of anything in little time', () => {
    const hostile = [' ', ';', '; ', ';p', 'p=', '"', ';\\" ', 'a=1;'].map((part) => part.repeat(64_000 / part.length));
    const started = performance.now();
    for (const text of hostile) expect(judge(text).isRight).toBe(false);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
