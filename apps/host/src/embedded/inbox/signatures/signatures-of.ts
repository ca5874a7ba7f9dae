import type { InboxStore } from '../inbox-store.js';
import type { InboxSignatures } from './inbox-signatures.js';
import { type DkimStatus, NONE } from './signature-check.js';

/** Results for kept messages, by id. @param limit time after which a result is `pending`. Milliseconds */
export async function signaturesOf(
  store: Pick<InboxStore, 'list' | 'fileOf'>,
  signatures: Pick<InboxSignatures, 'resultOf'>,
  ids: readonly string[],
  limit: number,
): Promise<Map<string, DkimStatus>> {
  const asked = new Set(ids);
  const results = store
    .list()
    .filter(({ id }) => asked.has(id))
    .map(async ({ id, signed = true }) => {
      const status = signed ? await signatures.resultOf(id, store.fileOf(id), limit) : NONE;
      return [id, status] as const;
    });
  return new Map(await Promise.all(results));
}
