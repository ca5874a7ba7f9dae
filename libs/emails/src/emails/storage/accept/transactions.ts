import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { sqlState } from '../../../shared/errors/database-errors.js';
import { atSavepoint } from '../../../shared/rows/at-savepoint.js';
import {
  type JoinedTransaction,
  joinedOf,
  type SqlTransaction,
  sqlOf,
  type Transaction,
} from '../../../shared/rows/sql-transaction.js';
import { EMAILS_DATA_SOURCE } from '../storage.tokens.js';

export type { JoinedTransaction };

/** Distinguishes a database from a copy of it on the same server. */
const DATABASE = `
SELECT i.id || ' ' || d.oid AS database FROM nestjs_emails.identity i, pg_database d WHERE d.datname = current_database()`;

const NO_TABLE = /^(3F000|42P01)$/;
const NO_RIGHT = '42501';

/** Lets emails join the transactions of callers. */
@Injectable()
export class Transactions implements OnModuleInit {
  private ours: Promise<string | undefined> | undefined;
  private readonly known = new WeakMap<DataSource, Promise<void>>();

  constructor(@Inject(EMAILS_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** The first caller may have the last connection of the data source. */
  async onModuleInit(): Promise<void> {
    if (this.dataSource.isInitialized) await this.findOurs();
  }

  /** @throws Error when emails cannot join it */
  async join(transaction: Transaction): Promise<JoinedTransaction> {
    const joined = joinedOf(transaction);
    const { runner } = joined;
    if (!runner) await this.check(joined);
    else if (runner.connection !== this.dataSource) await this.checkOnce(runner.connection, joined);
    return joined;
  }

  /** Another data source of the host may connect to the same database. */
  private checkOnce(other: DataSource, joined: JoinedTransaction): Promise<void> {
    if (other.options.type !== 'postgres') throw isElsewhere();
    const known = this.known.get(other) ?? this.check(joined);
    this.known.set(other, known);
    known.catch(() => this.known.delete(other));
    return known;
  }

  /** Asks within the transaction: it may hold the only connection. */
  private async check(joined: SqlTransaction): Promise<void> {
    const theirs = await atSavepoint(joined, () => databaseOf(joined)).catch(refuse);
    if (theirs === undefined || theirs !== (await this.findOurs())) throw isElsewhere();
  }

  private findOurs(): Promise<string | undefined> {
    if (this.ours) return this.ours;
    const ours = databaseOf(sqlOf(this.dataSource.manager));
    this.ours = ours;
    ours.catch(() => {
      this.ours = undefined;
    });
    return ours;
  }
}

async function databaseOf(transaction: SqlTransaction): Promise<string | undefined> {
  const { rows } = await transaction.query(DATABASE, []);
  return (rows as { database: string }[])[0]?.database;
}

function refuse(error: unknown): never {
  const state = error instanceof Error ? sqlState(error) : undefined;
  if (NO_TABLE.test(state ?? '')) throw isElsewhere();
  throw state === NO_RIGHT ? hasNoRight(error) : error;
}

function hasNoRight(cause: unknown): Error {
  return new Error(
    'The role of `transaction` lacks rights on the schema `nestjs_emails`. Grant it those of the role that `EmailsModule` has.',
    { cause },
  );
}

function isElsewhere(): Error {
  return new Error(
    '`transaction` is of another database than the emails. Pass one of the database that `EmailsModule` uses.',
  );
}
