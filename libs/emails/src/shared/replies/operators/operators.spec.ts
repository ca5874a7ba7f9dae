import { BOUNCE_REASONS } from '../bounce-reasons.js';
import { OPERATORS } from './index.js';

describe('OPERATORS', () => {
  it('have names, hosts and replies that say where they are seen', () => {
    expect(new Set(OPERATORS.map(({ name }) => name)).size).toBe(OPERATORS.length);
    const hosts = OPERATORS.flatMap(({ hosts: named }) => named);
    expect(new Set(hosts).size).toBe(hosts.length);
    for (const { name, replies } of OPERATORS) {
      expect(name).toMatch(/^[a-z-]{1,20}$/);
      expect(replies.length).toBeGreaterThan(0);
      for (const { meaning, source, read, corpus } of replies) {
        if (corpus === undefined) {
          expect(source).toMatch(/^https?:\/\/[\w.-]+\.\w+\/?/);
          expect(read).toMatch(/^\d{4}-\d\d-\d\d$/);
        }
        expect(Object.keys(BOUNCE_REASONS)).toContain(meaning);
      }
    }
  });

  it('have domains of their own mailboxes, each of one operator, and say where they are seen', () => {
    const known = OPERATORS.flatMap(({ mailboxes }) => mailboxes ?? []);
    const domains = known.flatMap((mailboxes) => mailboxes.domains);
    expect(new Set(domains).size).toBe(domains.length);
    expect(domains).toContain('gmail.com');
    for (const { source, read } of known) {
      expect(source).toMatch(/^https:\/\//);
      expect(read).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });

  it('have patterns without a state between two replies', () => {
    const flags = OPERATORS.flatMap(({ replies }) => replies.map(({ pattern }) => pattern.flags));
    expect(flags.filter((flag) => /[gy]/.test(flag))).toEqual([]);
  });
});
