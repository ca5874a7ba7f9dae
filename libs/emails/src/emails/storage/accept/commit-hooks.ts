import type { EntitySubscriberInterface, QueryRunner, TransactionCommitEvent, TransactionRollbackEvent } from 'typeorm';

/**
 * Runs work after the commit of a transaction, and never after its rollback. A `COMMIT` that is sent as a plain query,
 * bypassing TypeORM, is not noticed.
 */
export class CommitHooks implements EntitySubscriberInterface {
  private readonly waiting = new WeakMap<QueryRunner, (() => void)[]>();

  add(runner: QueryRunner, work: () => void): void {
    // TypeORM 1 calls it `dataSource`; 0.3 has only this name.
    const { subscribers } = runner.connection;
    if (!subscribers.includes(this)) subscribers.push(this);
    this.waiting.set(runner, [...(this.waiting.get(runner) ?? []), work]);
  }

  /** Also called for savepoints, within a transaction that continues. */
  afterTransactionCommit({ queryRunner }: TransactionCommitEvent): void {
    for (const work of this.take(queryRunner)) work();
  }

  afterTransactionRollback({ queryRunner }: TransactionRollbackEvent): void {
    this.take(queryRunner);
  }

  private take(runner: QueryRunner): readonly (() => void)[] {
    if (runner.isTransactionActive) return [];
    const works = this.waiting.get(runner) ?? [];
    this.waiting.delete(runner);
    return works;
  }
}
