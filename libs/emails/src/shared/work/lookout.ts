import { isDatabaseUnavailable, isLockTimeout, isStatementEnded } from '../errors/database-errors.js';
import { inTime } from './in-time.js';

/**
 * From one round of questions to the next. Milliseconds. A little more than a second: with what housekeeping asks, an idle
 * process has at most one statement a second, and what another process recorded is found well within 1.5 s.
 */
const INTERVAL = 1_150;
/** After which the questions of a round are asked one by one, because something keeps one of them. Milliseconds. */
const PATIENCE = 2_000;

/** A SELECT with its parameters. Numbers beyond 2^53 have to be text, because its rows come as JSON. */
export interface Question {
  sql: string;
  values: readonly unknown[];
}

/** Asks the same question again and again. */
export interface Watcher {
  /** Undefined: there is nothing to ask in this round. */
  question(): Question | undefined;
  answered(rows: readonly unknown[]): void;
  failed(error: unknown): void;
}

interface Database {
  query(sql: string, values: unknown[]): Promise<Record<string, readonly unknown[]>[]>;
}

class LateError extends Error {}

/**
 * Asks for all workers of a process at once whether there is something to do: one statement a round, however many they are.
 * A question that fails, or that waits for a lock, does not keep the others from their answers.
 */
export class Lookout {
  private static readonly all = new WeakMap<object, Lookout>();

  private readonly watchers = new Set<Watcher>();
  /** Whose question is under way. */
  private readonly asking = new Set<Watcher>();
  /** How many wait for one answer. */
  private waiting = 0;
  private timer: NodeJS.Timeout | undefined;
  private askedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly database: Database) {}

  /** The one of a data source. */
  static of(database: Database): Lookout {
    const known = Lookout.all.get(database) ?? new Lookout(database);
    Lookout.all.set(database, known);
    return known;
  }

  /** @returns what ends it */
  watch(watcher: Watcher): () => void {
    this.watchers.add(watcher);
    this.schedule();
    return () => {
      this.watchers.delete(watcher);
      // Whoever ends a watch ends the process: others who wait for an answer want to end as well.
      if (this.waiting > 0) this.hurry();
      else if (this.watchers.size === 0) this.rest();
    };
  }

  /** Asks once, in the next round. */
  ask<Row>(question: Question): Promise<readonly Row[]> {
    this.waiting++;
    return new Promise((resolve, reject) => {
      const settle = (how: () => void) => {
        this.waiting--;
        this.watchers.delete(watcher);
        how();
      };
      const watcher: Watcher = {
        question: () => question,
        answered: (rows) => settle(() => resolve(rows as readonly Row[])),
        failed: (error) => settle(() => reject(error)),
      };
      this.watch(watcher);
    });
  }

  private schedule(): void {
    if (this.timer || this.watchers.size === 0) return;
    this.timer = setTimeout(() => void this.round(), Math.max(0, this.askedAt + INTERVAL - performance.now()));
  }

  private hurry(): void {
    this.rest();
    this.timer = setTimeout(() => void this.round(), 0);
  }

  private rest(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private async round(): Promise<void> {
    this.askedAt = performance.now();
    const asked = new Map<Watcher, Question>();
    for (const watcher of this.watchers) {
      const question = this.asking.has(watcher) ? undefined : watcher.question();
      if (question) asked.set(watcher, question);
    }
    this.timer = undefined;
    this.schedule();
    if (asked.size > 0) await this.askTogether(asked);
  }

  private async askTogether(asked: ReadonlyMap<Watcher, Question>): Promise<void> {
    for (const watcher of asked.keys()) this.asking.add(watcher);
    if (asked.size === 1) return this.askOneByOne(asked);
    try {
      const answers = await inTime(this.query([...asked.values()]), PATIENCE, () => {
        throw new LateError();
      });
      let place = 0;
      for (const watcher of asked.keys()) this.settle(watcher, () => watcher.answered(answers[place++] ?? []));
    } catch (error) {
      if (isOfOneQuestion(error)) this.askOneByOne(asked);
      else for (const watcher of asked.keys()) this.settle(watcher, () => watcher.failed(error));
    }
  }

  /** However long that takes: no question waits for another one. */
  private askOneByOne(asked: ReadonlyMap<Watcher, Question>): void {
    for (const [watcher, question] of asked) void this.askAlone(watcher, question);
  }

  private async askAlone(watcher: Watcher, question: Question): Promise<void> {
    try {
      const [rows = []] = await this.query([question]);
      this.settle(watcher, () => watcher.answered(rows));
    } catch (error) {
      this.settle(watcher, () => watcher.failed(error));
    }
  }

  private settle(watcher: Watcher, how: () => void): void {
    this.asking.delete(watcher);
    if (this.watchers.has(watcher)) how();
  }

  private async query(questions: readonly Question[]): Promise<(readonly unknown[])[]> {
    const values: unknown[] = [];
    const columns = questions.map((question, place) => {
      const sql = question.sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + values.length}`);
      values.push(...question.values);
      return `(SELECT coalesce(json_agg(rows), '[]') FROM (${sql}) AS rows) AS "${place}"`;
    });
    const [row = {}] = await this.database.query(`SELECT ${columns.join(', ')}`, values);
    return questions.map((_, place) => row[place] ?? []);
  }
}

/** Not of the server or the connection, which all questions need. */
function isOfOneQuestion(error: unknown): boolean {
  return error instanceof LateError || isLockTimeout(error) || isStatementEnded(error) || !isDatabaseUnavailable(error);
}
