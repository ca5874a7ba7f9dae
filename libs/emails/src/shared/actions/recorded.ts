import type { EntityManager } from 'typeorm';
import type { Caller } from '../callers/caller.js';
import type { ActionLog } from './action-log.js';
import type { ActionName } from './action-names.js';

/** A row that was changed, or its id. Undefined: nothing was changed. */
type Changed = { id: string } | string | undefined;

/** How a change is recorded. */
export interface Recording {
  /** Undefined: nothing is recorded. */
  log: ActionLog | undefined;
  /** Undefined: the application's own code makes the change, and nothing is recorded. */
  caller: Caller | undefined;
  action: ActionName;
  /** The id to record. Default: that of the result. */
  id?: string | undefined;
}

/**
 * Makes a change, with its record in the same transaction if a caller asked for it.
 *
 * @param manager opens the transaction
 * @param change gets the manager of the transaction; undefined where nothing is recorded
 */
export async function recorded<T extends Changed>(
  manager: EntityManager,
  { log, caller, action, id }: Recording,
  change: (manager?: EntityManager) => Promise<T>,
): Promise<T> {
  if (!log || !caller) return change();
  return manager.transaction(async (own) => {
    const changed = await change(own);
    if (changed !== undefined) await log.record(caller, { action, ids: [id ?? idOf(changed)] }, own);
    return changed;
  });
}

function idOf(changed: { id: string } | string): string {
  return typeof changed === 'string' ? changed : changed.id;
}
