/** Interval of requests that become rarer while nothing changes. */
export interface Pace {
  /** Milliseconds. */
  interval(): number;
  /** Reports the result of a request. */
  note(hasChanged: boolean): void;
}

/** Begins with `first` milliseconds, doubled after each answer without a change, up to `last`. */
export function newPace(first: number, last: number): Pace {
  let interval = first;
  return {
    interval: () => interval,
    note: (hasChanged) => {
      interval = hasChanged ? first : Math.min(interval * 2, last);
    },
  };
}
