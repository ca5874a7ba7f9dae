import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { onMaster } from '../../shared/rows/on-master.js';
import { SCHEMA } from '../../shared/rows/schema.js';

/** Expired rows that a new one removes, more than come in: no other work keeps the table small. */
const REMOVED = 10;

/** A token, with the body that it came in. */
export interface HookToken {
  token: string;
  body: Buffer;
  expiresAt: Date;
}

/** Tokens of all processes. See `HookTokenEntity`. */
@Injectable()
export class HookTokenRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Binds a token to its body. False when it belongs to another body, or was used: a request that was cut off before its
   * commit may come again.
   */
  async claim({ token, body, expiresAt }: HookToken): Promise<boolean> {
    const [mine, its] = [hash(token), hash(body)];
    const added = await this.dataSource.query<unknown[]>(
      `WITH expired AS (
        DELETE FROM ${SCHEMA}.hook_tokens WHERE token IN (
          SELECT token FROM ${SCHEMA}.hook_tokens WHERE expires_at < now() AND token <> $1
          ORDER BY expires_at LIMIT ${REMOVED} FOR UPDATE SKIP LOCKED
        )
      )
      INSERT INTO ${SCHEMA}.hook_tokens (token, body, expires_at) VALUES ($1, $2, $3)
      ON CONFLICT DO NOTHING RETURNING token`,
      [mine, its, expiresAt],
    );
    if (added.length > 0) return true;
    const unused = `SELECT FROM ${SCHEMA}.hook_tokens WHERE token = $1 AND body = $2 AND NOT is_used`;
    const same = await onMaster(this.dataSource, (manager) => manager.query<unknown[]>(unused, [mine, its]));
    return same.length > 0;
  }

  /** From now on nothing counts with this token. */
  async use({ token }: HookToken): Promise<void> {
    await this.dataSource.query(`UPDATE ${SCHEMA}.hook_tokens SET is_used = true WHERE token = $1`, [hash(token)]);
  }
}

function hash(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}
