import { jest } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../callers/caller.js';
import type { ActionLog } from './action-log.js';
import { recorded } from './recorded.js';

const CALLER: Caller = { accountId: 'acme', permission: 'full_access' };
const ACTION = 'topic.update';

/** A manager that notes how each of its transactions ends. */
function managed() {
  const own = {} as EntityManager;
  const ends: string[] = [];
  const transaction = async (work: (manager: EntityManager) => Promise<unknown>) => {
    try {
      const result = await work(own);
      ends.push('commit');
      return result;
    } catch (error) {
      ends.push('rollback');
      throw error;
    }
  };
  const log = { record: jest.fn<ActionLog['record']>(async () => {}) };
  return { own, ends, log, manager: { transaction } as unknown as EntityManager };
}

describe('recorded', () => {
  it.each([
    ['its id', 'one', undefined, 'one'],
    ['the id of its row', { id: 'two' }, undefined, 'two'],
    ['another id', { id: 'two' }, 'three', 'three'],
  ])('records a change by %s, in the transaction of the change', async (_, result, id, recordedId) => {
    const { own, ends, log, manager } = managed();
    const change = jest.fn(async (_manager?: EntityManager) => result as { id: string } | string);
    expect(await recorded(manager, { log, caller: CALLER, action: ACTION, id }, change)).toBe(result);
    expect(change.mock.calls).toEqual([[own]]);
    expect(log.record.mock.calls).toEqual([[CALLER, { action: ACTION, ids: [recordedId] }, own]]);
    expect(log.record.mock.calls[0]?.[2]).toBe(own);
    expect(ends).toEqual(['commit']);
  });

  it('records nothing when nothing was changed', async () => {
    const { log, manager } = managed();
    expect(await recorded(manager, { log, caller: CALLER, action: ACTION }, async () => undefined)).toBeUndefined();
    expect(log.record).not.toHaveBeenCalled();
  });

  it('opens no transaction for a change that no caller asked for, or without a log', async () => {
    const { ends, log, manager } = managed();
    const change = jest.fn(async (_manager?: EntityManager) => 'one');
    await recorded(manager, { log, caller: undefined, action: ACTION }, change);
    await recorded(manager, { log: undefined, caller: CALLER, action: ACTION }, change);
    expect(change.mock.calls).toEqual([[], []]);
    expect([ends, log.record.mock.calls]).toEqual([[], []]);
  });

  it('is undone with a record that fails, and not recorded when it fails itself', async () => {
    const { ends, log, manager } = managed();
    log.record.mockRejectedValueOnce(new Error('full'));
    const asked = { log, caller: CALLER, action: ACTION } as const;
    await expect(recorded(manager, asked, async () => 'one')).rejects.toThrow('full');
    await expect(
      recorded(manager, asked, async () => {
        throw new Error('locked');
      }),
    ).rejects.toThrow('locked');
    expect(ends).toEqual(['rollback', 'rollback']);
    expect(log.record).toHaveBeenCalledTimes(1);
  });
});
