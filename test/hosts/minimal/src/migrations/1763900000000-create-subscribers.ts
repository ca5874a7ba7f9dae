import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateSubscribers1763900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE emails (
        account text NOT NULL,
        address text NOT NULL,
        PRIMARY KEY (account, address)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE emails');
  }
}
