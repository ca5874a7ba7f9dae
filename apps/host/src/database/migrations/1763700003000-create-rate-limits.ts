import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The table that requests are counted in. Unlogged: what it holds is worth a second. */
export class CreateRateLimits1763700003000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE rate_limits (
        key varchar(255) PRIMARY KEY,
        points integer NOT NULL DEFAULT 0,
        expire bigint
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rate_limits');
  }
}
