import type { DueEvent } from '../storage/delivery.repository.js';

/**
 * Replays and scheduled events in turn, each in its order, so that many replays do not hold up new events.
 *
 * @param isReplayFirst whether a replay is next, if there is one
 */
export function takingTurns<Event extends Pick<DueEvent, 'replay'>>(
  events: readonly Event[],
  isReplayFirst: boolean,
): Event[] {
  const first = events.filter(({ replay }) => replay === isReplayFirst);
  const second = events.filter(({ replay }) => replay !== isReplayFirst);
  const turns = Array.from({ length: Math.max(first.length, second.length) }, (_, at) => [
    ...first.slice(at, at + 1),
    ...second.slice(at, at + 1),
  ]);
  return turns.flat();
}
