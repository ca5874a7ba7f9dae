import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { AlarmSource, NewAlarm } from '../../index.js';
import type { AlarmCode } from '../../shared/alarms/alarm-codes.js';
import { Lookout } from '../../shared/work/lookout.js';
import { KeysCheck } from '../keys/keys-check.js';

const MISSING: AlarmCode = 'domain_records_missing';
const UNREADABLE: AlarmCode = 'domain_keys_unreadable';
/** Limit of alarms of missing records. */
const LIMIT = 1_000;
/** Time between two counts of keys: secrets only change with a start. Milliseconds. */
const PACE = 60_000;

const FIND = `
SELECT id, account_id AS account, name, missing_since AS since FROM nestjs_emails.domains
WHERE missing_since IS NOT NULL ORDER BY missing_since LIMIT $1`;

interface Row {
  id: string;
  account: string;
  name: string;
  since: string;
}

/** Domains that were verified and lack a record now, and keys that cannot be opened. */
@Injectable()
export class DomainAlarms implements AlarmSource {
  readonly codes = [MISSING, UNREADABLE];
  private countedAt = Number.NEGATIVE_INFINITY;
  private unreadable = 0;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(KeysCheck) private readonly keys: Pick<KeysCheck, 'unreadable'>,
  ) {}

  async active(): Promise<NewAlarm[]> {
    const rows = await Lookout.of(this.dataSource).ask<Row>({ sql: FIND, values: [LIMIT] });
    const missing = rows.map(({ account, name, since }) => ({
      code: MISSING,
      account,
      subject: name.slice(0, 200),
      since: new Date(since),
      text: `A DNS record of the domain ${name} is missing or wrong. After 72 h the domain is no longer verified.`,
    }));
    return [...missing, ...(await this.ofKeys())];
  }

  private async ofKeys(): Promise<NewAlarm[]> {
    if (performance.now() - this.countedAt > PACE) {
      this.unreadable = await this.keys.unreadable();
      this.countedAt = performance.now();
    }
    if (this.unreadable === 0) return [];
    const text =
      `${this.unreadable} DKIM keys of domains cannot be opened: SECRET_KEY was changed. Emails of these domains wait until ` +
      'the old secret is back, or the keys are rotated.';
    return [{ code: UNREADABLE, subject: 'SECRET_KEY', text }];
  }
}
