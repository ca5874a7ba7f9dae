import { emailsLink } from './emails-link';

const searchOf = (link: string) => new URLSearchParams(link.split('?')[1]).get('q');

describe('emailsLink', () => {
  it('writes the words of the search', () => {
    const link = emailsLink({ to: 'jane+1@example.com', state: ['sent', 'delivered'] });
    expect(link).toMatch(/^\/emails\?q=/);
    expect(searchOf(link)).toBe('to:jane+1@example.com state:sent,delivered');
  });

  it('has tags and topics, and quotes values with spaces', () => {
    expect(searchOf(emailsLink({ tag: 'order:12', topic: 't' }))).toBe('tag:order:12 topic:t');
    expect(searchOf(emailsLink({ transport: 'mx.a.test:25' }))).toBe('transport:mx.a.test:25');
    expect(searchOf(emailsLink({ from: 'a b' }))).toBe('from:"a b"');
    expect(searchOf(emailsLink({ to: '"a b"@c.test' }))).toBe('to:"a b"@c.test');
  });

  it('has times to the minute', () => {
    const at = new Date('2026-11-23T14:35:12Z');
    expect(searchOf(emailsLink({ from: '@a.test', after: at, before: at }))).toBe(
      'from:@a.test after:2026-11-23T14:35Z before:2026-11-23T14:35Z',
    );
  });
});
