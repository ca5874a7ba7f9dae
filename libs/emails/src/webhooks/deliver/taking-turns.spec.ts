import { takingTurns } from './taking-turns.js';

const replay = (seq: number) => ({ seq, replay: true });
const scheduled = (seq: number) => ({ seq, replay: false });

describe('takingTurns', () => {
  it.each([
    [true, [1, 8, 2, 9, 3]],
    [false, [8, 1, 9, 2, 3]],
  ])('alternates replays and scheduled events, each in its order, a replay first: %s', (isReplayFirst, order) => {
    const events = [replay(1), replay(2), replay(3), scheduled(8), scheduled(9)];
    expect(takingTurns(events, isReplayFirst).map(({ seq }) => seq)).toEqual(order);
  });

  it.each([true, false])('keeps events of one kind as they are, a replay first: %s', (isReplayFirst) => {
    expect(takingTurns([scheduled(8), scheduled(9)], isReplayFirst).map(({ seq }) => seq)).toEqual([8, 9]);
    expect(takingTurns([], isReplayFirst)).toEqual([]);
  });
});
