import type { InboxSignature } from '../../../../src/inbox/inbox-signatures';
import { signatureText, unsubscribeText } from './message-trust';

const signature = (more: Partial<InboxSignature> = {}): InboxSignature => ({
  domain: 'example.com',
  selector: 's1',
  algorithm: 'rsa-sha256',
  result: 'pass',
  aligned: true,
  reason: null,
  ...more,
});

describe('signatureText', () => {
  it('names the domain of a valid signature, rather the one of the sender', () => {
    expect(signatureText({ status: 'pass', signatures: [signature()] })).toBe('Valid, of example.com');
    const relay = signature({ domain: 'relay.test', aligned: false });
    expect(signatureText({ status: 'pass', signatures: [relay, signature()] })).toBe('Valid, of example.com');
    expect(signatureText({ status: 'pass', signatures: [relay, signature({ result: 'fail' })] })).toBe(
      "Valid, but of relay.test, another domain than the sender's",
    );
  });

  it('gives the reason of another result', () => {
    const failed = signature({ result: 'fail', reason: 'bad signature' });
    expect(signatureText({ status: 'fail', signatures: [failed] })).toBe('Not valid: bad signature');
    expect(signatureText({ status: 'fail', signatures: [] })).toBe('Not valid: it cannot be read');
    expect(signatureText({ status: 'temperror', signatures: [] })).toBe('Could not be verified: it took too long');
  });

  it('says that there is none, and that it is being verified', () => {
    expect(signatureText({ status: 'none', signatures: [] })).toBe('Not signed');
    expect(signatureText({ status: 'pending', signatures: [] })).toBe('Being verified…');
  });
});

describe('unsubscribeText', () => {
  const of = (...headers: [string, string][]) => unsubscribeText(headers.map(([name, value]) => ({ name, value })));
  const POST: [string, string] = ['list-unsubscribe-post', 'List-Unsubscribe=One-Click'];

  it('tells one click from a link', () => {
    expect(of(['List-Unsubscribe', '<https://a.test/u>'], POST)).toBe('One click');
    expect(of(['List-Unsubscribe', '<mailto:u@a.test>, <https://a.test/u>'], POST)).toBe('One click');
    expect(of(['List-Unsubscribe', '<https://a.test/u>'])).toBe('A link or an address');
    expect(of(['List-Unsubscribe', '<http://a.test/u>'], POST)).toBe('A link or an address');
    expect(of(['List-Unsubscribe', '<mailto:u@a.test>'], POST)).toBe('A link or an address');
    expect(of(POST)).toBe('None');
    expect(of()).toBe('None');
  });
});
