import type { DataSource } from 'typeorm';
import { databaseProblem } from '../../shared/errors/database-problem.js';
import type { Probe } from './probe.js';

/** Runs a trivial query on PostgreSQL. */
export class PostgresProbe implements Probe {
  constructor(
    readonly name: string,
    readonly vital: boolean,
    private readonly dataSource: DataSource,
    private readonly question: string,
  ) {}

  async check(): Promise<void> {
    await this.dataSource.query(this.question);
  }

  reason(error: unknown): string {
    return databaseProblem(error);
  }
}
