import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SCHEMA } from '../../../shared/rows/schema.js';
import { Lookout } from '../../../shared/work/lookout.js';

/** A domain that cannot sign. */
export interface SigningFault {
  accountId: string;
  domain: string;
  since: Date;
}

/** Faults that are looked at. More at once have one cause, which these show. */
const LIMIT = 100;

/** $1: account, $2: domain. */
const NOTE = `
INSERT INTO ${SCHEMA}.signing_faults AS known (account_id, domain) VALUES ($1, $2)
ON CONFLICT (account_id, domain) DO UPDATE SET failed_at = now()`;

const END = `DELETE FROM ${SCHEMA}.signing_faults WHERE account_id = $1 AND domain = $2`;

const FIND = `
SELECT account_id, domain, since FROM ${SCHEMA}.signing_faults ORDER BY since, account_id, domain LIMIT ${LIMIT}`;

/** Domains of all processes that cannot sign. */
@Injectable()
export class SigningFaultsRepository {
  constructor(private readonly dataSource: DataSource) {}

  async note(accountId: string, domain: string): Promise<void> {
    await this.dataSource.query(NOTE, [accountId, domain]);
  }

  async end(accountId: string, domain: string): Promise<void> {
    await this.dataSource.query(END, [accountId, domain]);
  }

  /** Up to 100, the oldest first. */
  async find(): Promise<SigningFault[]> {
    const rows = await Lookout.of(this.dataSource).ask<{ account_id: string; domain: string; since: string }>({
      sql: FIND,
      values: [],
    });
    return rows.map(({ account_id: accountId, domain, since }) => ({ accountId, domain, since: new Date(since) }));
  }
}
