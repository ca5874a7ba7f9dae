import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('./corpus/', import.meta.url);

/** `open` is for authors of patterns, `held-out` for the score alone. */
export type CorpusPart = 'open' | 'held-out';

export const CORPUS_PARTS: readonly CorpusPart[] = ['open', 'held-out'];

/** Any of several values is right where the source leaves the choice. */
type OneOf<T> = T | readonly T[];

type BounceType = 'Permanent' | 'Transient' | 'Undetermined';

/** The common fields of all entries. */
interface CorpusEntry {
  id: string;
  /** Public address. */
  source: string;
  /** Date on which the source was read. */
  read: string;
  note?: string;
}

export interface CorpusReply extends CorpusEntry {
  /** Basic code, absent where the source prints none. */
  code?: number;
  text: string;
  stage?: 'CONN' | 'HELO' | 'MAIL FROM' | 'RCPT TO' | 'DATA';
  host?: string;
  expect: { type: OneOf<BounceType>; reasonCode: OneOf<string>; suppress: boolean };
}

/** A report's meaning for one recipient. */
export interface ExpectedReport {
  kind: 'bounced' | 'deferred' | 'delivered' | 'complained' | 'noted' | 'ignored' | 'opt_out';
  recipient?: string;
  status?: string;
  type?: OneOf<BounceType>;
  reasonCode?: OneOf<string>;
  /** Absent where the source contradicts itself. */
  suppress?: boolean;
}

export interface CorpusReport extends CorpusEntry {
  file: string;
  /** SPDX identifier. */
  licence: string;
  expect: readonly ExpectedReport[];
  bytes: Buffer;
}

/** Replies of one part with the name of their file, which is the operator's. */
export function readReplies(part: CorpusPart): (CorpusReply & { operator: string })[] {
  const folder = new URL('replies/', folderOf(part));
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const replies: CorpusReply[] = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
      return replies.map((reply) => ({ ...reply, operator: name.replace(/\.json$/, '') }));
    });
}

export function readReports(part: CorpusPart): CorpusReport[] {
  const folder = new URL('reports/', folderOf(part));
  const reports: Omit<CorpusReport, 'bytes'>[] = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8'));
  return reports.map((report) => ({ ...report, bytes: readFileSync(new URL(report.file, folder)) }));
}

/** Names of all files of a part's reports, in the index or not. */
export function reportFiles(part: CorpusPart): string[] {
  return readdirSync(new URL('reports/', folderOf(part))).filter((name) => name.endsWith('.eml'));
}

/** True if a value is the expected one, or one of several. */
export function isOneOf<T>(expected: OneOf<T>, actual: T): boolean {
  return Array.isArray(expected) ? expected.includes(actual) : expected === actual;
}

function folderOf(part: CorpusPart): URL {
  return part === 'open' ? FOLDER : new URL('held-out/', FOLDER);
}
