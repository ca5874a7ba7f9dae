import { isDatabaseUnavailable, isLockTimeout, isStatementEnded } from '../errors/database-errors.js';
import { inTime } from './in-time.js';

/**
 * Interval of polls. A little more than a second: together with housekeeping an idle process runs at most one statement
 * a second, and finds records of other processes well within 1.5 s. Milliseconds.
 */
const INTERVAL = 1_150;
/** Timeout after which the queries of a poll run one by one, because one of them is stuck. Milliseconds. */
const PATIENCE = 2_000;

/** A SELECT with its parameters. Numbers beyond 2^53 have to be text, because its rows come as JSON. */
export interface Question {
  sql: string;
  values: readonly unknown[];
}

/** A repeated query. */
export interface Watcher {
  /** Undefined: nothing to query in this poll. */
  question(): Question | undefined;
  answered(rows: readonly unknown[]): void;
  failed(error: unknown): void;
}

interface Database {
  query(sql: string, values: unknown[]): Promise<Record<string, readonly unknown[]>[]>;
}

class LateError extends Error {}

/**
 * Polls for the work of all workers of a process: one statement a poll, for any number of workers. A query that fails,
 * or that waits for a lock, does not delay the answers of the others.
 */
export class Lookout {
  private static readonly all = new WeakMap<object, Lookout>();

  private readonly watchers = new Set<Watcher>();
  /** Watchers whose query is running. */
  private readonly asking = new Set<Watcher>();
  /** Number of waiting callers of `once`. */
  private waiting = 0;
  private timer: NodeJS.Timeout | undefined;
  private askedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly database: Database) {}

  /** The lookout of a data source. */
  static of(database: Database): Lookout {
    const known = Lookout.all.get(database) ?? new Lookout(database);
    Lookout.all.set(database, known);
    return known;
  }

  /** @returns the function that ends it */
  watch(watcher: Watcher): () => void {
    this.watchers.add(watcher);
    this.schedule();
    return () => {
      this.watchers.delete(watcher);
      // The end of a watch is the end of the process: other watchers that wait for an answer end as well.
      if (this.waiting > 0) this.hurry();
      else if (this.watchers.size === 0) this.rest();
    };
  }

  /** Queries once, in the next poll. */
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
      let index = 0;
      for (const watcher of asked.keys()) this.settle(watcher, () => watcher.answered(answers[index++] ?? []));
    } catch (error) {
      if (isOfOneQuestion(error)) this.askOneByOne(asked);
      else for (const watcher of asked.keys()) this.settle(watcher, () => watcher.failed(error));
    }
  }

  /** Without a timeout, since no query waits for another one. */
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
    const columns = questions.map((question, index) => {
      const sql = question.sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + values.length}`);
      values.push(...question.values);
      return `(SELECT coalesce(json_agg(rows), '[]') FROM (${sql}) AS rows) AS "${index}"`;
    });
    const [row = {}] = await this.database.query(`SELECT ${columns.join(', ')}`, values);
    return questions.map((_, index) => row[index] ?? []);
  }
}

/** Not an error of the server or the connection, which would affect all queries. */
function isOfOneQuestion(error: unknown): boolean {
  return error instanceof LateError || isLockTimeout(error) || isStatementEnded(error) || !isDatabaseUnavailable(error);
}
