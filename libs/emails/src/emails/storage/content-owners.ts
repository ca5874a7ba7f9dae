import { Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { errorReport } from '../../shared/errors/error-report.js';
import { inTime } from '../../shared/work/in-time.js';
import type { ContentOwner } from '../ports/content-owner.js';

/** Time limit for one owner's answer. Milliseconds. */
const PATIENCE = 20_000;
/** Time between two warnings. Milliseconds. */
const PAUSE = 300_000;

/** The owners of stored contents, in addition to emails. */
export class ContentOwners {
  private readonly logger = new Logger(ContentOwners.name);
  private warnedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly owners: readonly ContentOwner[] = []) {}

  /** True if there is an owner. */
  get any(): boolean {
    return this.owners.length > 0;
  }

  /** The hashes that no owner refers to; undefined when an owner does not answer, which is logged. */
  async unowned(hashes: readonly string[], manager: EntityManager): Promise<readonly string[] | undefined> {
    let left = hashes;
    try {
      for (const owner of this.owners) if (left.length > 0) left = await without(owner, left, manager);
      return left;
    } catch (error) {
      this.warn(error);
      return undefined;
    }
  }

  private warn(error: unknown): void {
    if (performance.now() < this.warnedAt + PAUSE) return;
    this.warnedAt = performance.now();
    const what = 'A content owner did not answer. The contents that it was asked about stay stored until it does.';
    this.logger.warn(`${what} ${errorReport(error)}`);
  }
}

async function without(owner: ContentOwner, hashes: readonly string[], manager: EntityManager): Promise<string[]> {
  const kept = await inTime(owner.keeps([...hashes], manager), PATIENCE, tooSlow);
  if (!Array.isArray(kept)) throw new TypeError('A content owner must answer with an array of hashes.');
  return hashes.filter((hash) => !kept.includes(hash));
}

function tooSlow(): never {
  throw new Error('A content owner takes too long.');
}
