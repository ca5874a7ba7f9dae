import type { Repository } from 'typeorm';
import type { Caller } from '../../../shared/callers/caller.js';
import { EMAIL_LIMITS } from '../../limits.js';
import type { ActionEntity } from '../entities/action.entity.js';
import { ActionsRepository, actionValues } from './actions.repository.js';

const UUID = /^[0-9a-f-]{36}$/;
const CALLER: Caller = { accountId: 'acme', permission: 'full_access', apiKeyId: 'key' };
const ACTION = { action: 'topic.update', ids: ['one'] };

/** An object with the methods of a manager of TypeORM, which keeps its statements. */
function managerOf(connection: object) {
  const statements: [string, unknown[]][] = [];
  const query = async (sql: string, values: unknown[]) => {
    statements.push([sql, values]);
    return [{ count: 3 }];
  };
  return { statements, manager: { connection, query, getRepository: () => {} } };
}

function repositoryOn({ manager }: ReturnType<typeof managerOf>) {
  const rows = { manager, query: manager.query } as unknown as Repository<ActionEntity>;
  return new ActionsRepository(rows);
}

describe('actionValues', () => {
  it('has who changed what, from where', () => {
    expect(actionValues(CALLER, ACTION)).toEqual({
      id: expect.stringMatching(UUID),
      accountId: 'acme',
      action: 'topic.update',
      source: 'api',
      keyId: 'key',
      sessionId: null,
      ids: ['one'],
      count: 1,
    });
    const person: Caller = { accountId: 'acme', permission: 'full_access', page: { sessionId: 'session' } };
    expect(actionValues(person, ACTION)).toMatchObject({ source: 'page', keyId: null, sessionId: 'session' });
    expect(actionValues({ ...person, page: { sessionId: null } }, ACTION)).toMatchObject({
      source: 'page',
      sessionId: null,
    });
  });

  it('keeps the first hundred ids, and counts all', () => {
    const ids = Array.from({ length: 250 }, (_, place) => String(place));
    const values = actionValues(CALLER, { action: 'email.cancel', ids });
    expect(values.ids).toEqual(ids.slice(0, EMAIL_LIMITS.recordedIds.max));
    expect(values.count).toBe(250);
    expect(actionValues(CALLER, { action: 'email.cancel', ids, count: 90_000 }).count).toBe(90_000);
    expect(actionValues(CALLER, { action: 'email.cancel', ids: [], count: 0 })).toMatchObject({ ids: [], count: 0 });
  });

  it("stores the host's ids in a form that PostgreSQL accepts, and no longer than 255 characters", () => {
    const caller = { ...CALLER, apiKeyId: `\0\ud800${'k'.repeat(300)}`, page: { sessionId: `\0${'s'.repeat(300)}` } };
    expect(actionValues(caller, ACTION)).toMatchObject({
      keyId: `\ufffd\ufffd${'k'.repeat(253)}`,
      sessionId: `\ufffd${'s'.repeat(254)}`,
    });
  });
});

describe('ActionsRepository', () => {
  const home = {};

  it('records within the transaction of the change', async () => {
    const [own, changing] = [managerOf(home), managerOf(home)];
    await repositoryOn(own).record(CALLER, ACTION, changing.manager as never);
    expect(own.statements).toEqual([]);
    expect(changing.statements).toEqual([
      [
        expect.stringContaining('INSERT INTO nestjs_emails.actions'),
        [expect.stringMatching(UUID), 'acme', 'topic.update', 'api', 'key', null, ['one'], 1],
      ],
    ]);
  });

  it("records within another library's transaction", async () => {
    const own = managerOf(home);
    const asked: string[] = [];
    const query = async (sql: string) => {
      asked.push(sql);
      return { rows: [] };
    };
    await repositoryOn(own).record(CALLER, ACTION, { query });
    expect([own.statements.length, asked.length]).toEqual([0, 1]);
  });

  it('records separately without a transaction, and for one of another data source', async () => {
    const [own, foreign] = [managerOf(home), managerOf({})];
    const actions = repositoryOn(own);
    await actions.record(CALLER, ACTION);
    await actions.record(CALLER, ACTION, foreign.manager as never);
    expect([own.statements.length, foreign.statements.length]).toEqual([2, 0]);
  });

  it('resolves with the number of deleted rows', async () => {
    const own = managerOf(home);
    expect(await repositoryOn(own).deleteOld(100, 90_000)).toBe(3);
    expect(own.statements).toEqual([[expect.stringContaining('DELETE FROM nestjs_emails.actions'), [100, 90_000]]]);
  });
});
