import { SuppressionsService } from './suppressions.service.js';

const SPAN = { operator: 'gmail', from: '2026-11-26T12:00:00Z', to: '2026-11-26T13:00:00Z' };

/** A list of which others remove entries while an undo works on it: each step removes so many. */
function undoing(...steps: number[]) {
  const none = { count: 0, first: [] };
  const transaction = (work: (manager: object) => Promise<unknown>) => work({});
  const service = new SuppressionsService(
    { transaction } as never,
    {
      ofOperator: async () => none,
      removeOfOperator: async () => Array.from({ length: steps.shift() ?? 0 }, (_, at) => `${at}`),
    } as never,
    { ofOperator: async () => none, removeOfOperator: async () => [] } as never,
  );
  return service.undo('one', SPAN);
}

describe('undo', () => {
  it('goes on after a step in which some had vanished, until nothing is found', async () => {
    expect(await undoing(1_000, 999, 1_000, 1)).toEqual({ removed: 3_000, data: [] });
  });

  it('ends at once if there is nothing', async () => {
    expect(await undoing()).toEqual({ removed: 0, data: [] });
  });
});
