import { readBetween, writeBetween } from '../support/basics/write-between.js';
import type { Part } from './part.js';

/** The last pass of a part: a row of the table. */
export interface Pass {
  proves: string;
  date: string;
  /** Followed by a `+` if some inputs were not committed. */
  commit: string;
  minutes: string;
  /** The fingerprint of the inputs. */
  inputs: string;
}

const MARK = 'verify';
const HEAD = ['| part | what it proves | date | commit | minutes | inputs |', '| --- | --- | --- | --- | ---: | --- |'];

/** The table of passes in docs/faults.md: written after each part, and read to skip unchanged parts. */
export class Records {
  constructor(private readonly page: string) {}

  read(): Map<string, Pass> {
    const lines = readBetween(this.page, MARK).split('\n');
    const rows = lines.filter((line) => line.startsWith('| ') && !HEAD.includes(line));
    return new Map(rows.map(toPass));
  }

  /** Inserts one row, in the order of the parts, and removes rows of parts that no longer exist. */
  add(name: string, pass: Pass, parts: readonly Part[]): void {
    const passes = this.read().set(name, pass);
    const rows = parts.flatMap((part) => {
      const row = passes.get(part.name);
      return row ? [`| ${[part.name, row.proves, row.date, row.commit, row.minutes, row.inputs].join(' | ')} |`] : [];
    });
    writeBetween(this.page, MARK, [...HEAD, ...rows].join('\n'));
  }
}

function toPass(row: string): [string, Pass] {
  const [name = '', proves = '', date = '', commit = '', minutes = '', inputs = ''] = row
    .split('|')
    .slice(1)
    .map((cell) => cell.trim());
  return [name, { proves, date, commit, minutes, inputs }];
}
