import { readFileSync } from 'node:fs';
import { isHeldOut, SEED } from '../feedback/corpus/draw.mjs';
import { CORPUS_PARTS, readReplies, readReports, reportFiles } from '../feedback/corpus.js';

const ABOUT_THE_ADDRESS = ['address_unknown', 'address_disabled', 'address_invalid', 'domain_not_found'];
const REASON_CODES = [
  ...ABOUT_THE_ADDRESS,
  'mailbox_full',
  'message_too_large',
  'content_rejected',
  'attachment_rejected',
  'policy_rejected',
  'sender_limit',
  'route_failed',
  'unrecognised_reply',
];
const LICENCES = ['Apache-2.0', 'BSD-2-Clause'];
const KINDS = ['bounced', 'deferred', 'delivered', 'complained', 'noted', 'ignored', 'opt_out'];
const STAGES = ['CONN', 'HELO', 'MAIL FROM', 'RCPT TO', 'DATA'];

const replies = CORPUS_PARTS.flatMap((part) => readReplies(part).map((reply) => ({ ...reply, part })));
const reports = CORPUS_PARTS.flatMap((part) => readReports(part).map((report) => ({ ...report, part })));
const entries = [...replies, ...reports];
const idsOf = (found: readonly { id: string }[]) => found.map(({ id }) => id);
const listOf = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

describe('the feedback corpus', () => {
  it('has at least 300 entries of different ids', () => {
    expect(entries.length).toBeGreaterThanOrEqual(300);
    expect(new Set(idsOf(entries)).size).toBe(entries.length);
  });

  it('names the public address and the date of every entry', () => {
    expect(idsOf(entries.filter(({ source }) => !/^https?:\/\/[^/]+\.[a-z]+\/?/.test(source)))).toEqual([]);
    expect(
      idsOf(entries.filter(({ read }) => !/^\d{4}-\d\d-\d\d$/.test(read) || Number.isNaN(Date.parse(read)))),
    ).toEqual([]);
  });

  it('has the text and a meaning of every reply', () => {
    const wrong = replies.filter(
      ({ id, operator, text, code, stage, expect: { type, reasonCode, suppress } }) =>
        !id.startsWith(`${operator}-`) ||
        !text.trim() ||
        (code !== undefined && !(code >= 400 && code <= 599)) ||
        (stage !== undefined && !STAGES.includes(stage)) ||
        listOf(reasonCode).some((one) => !REASON_CODES.includes(one)) ||
        listOf(reasonCode).some((one) => ABOUT_THE_ADDRESS.includes(one)) !== suppress ||
        listOf(type).includes('Permanent') !== suppress,
    );
    expect(idsOf(wrong)).toEqual([]);
  });

  it('has the bytes, the licence and a meaning of every report', () => {
    const wrong = reports.filter(
      ({ bytes, licence, expect: expected }) =>
        !bytes.length ||
        !LICENCES.includes(licence) ||
        !expected.length ||
        expected.some(({ kind, suppress }) => !KINDS.includes(kind) || (kind !== 'bounced' && suppress === undefined)),
    );
    expect(idsOf(wrong)).toEqual([]);
    for (const part of CORPUS_PARTS) {
      const named = reports.filter((report) => report.part === part).map(({ file }) => file);
      expect(reportFiles(part).sort()).toEqual(named.sort());
    }
  });

  it('has every text of an operator once', () => {
    const texts = replies.map(({ operator, text }) => `${operator}: ${text}`);
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  it('holds out what the seed of the README chooses, about a third', () => {
    expect(readFileSync(new URL('../feedback/corpus/README.md', import.meta.url), 'utf8')).toContain(SEED);
    expect(idsOf(entries.filter(({ id, part }) => isHeldOut(id) !== (part === 'held-out')))).toEqual([]);
    const share = entries.filter(({ part }) => part === 'held-out').length / entries.length;
    expect(share).toBeGreaterThan(0.25);
    expect(share).toBeLessThan(0.42);
  });
});
