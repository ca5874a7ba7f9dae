import type { Slots } from './attachment-fetcher.slots.js';

/** Milliseconds that a request waits for its turn. */
const PATIENCE = 30_000;

/** A request's turn to have large fetched files in memory: begins with the first of them, ends when all are stored. */
export class Turn {
  private begun: Promise<void> | undefined;
  private has = false;

  constructor(private readonly slots: Slots) {}

  /** @throws ApiError 503 when it does not come within half a minute */
  begin(): Promise<void> {
    this.begun ??= this.slots.take(PATIENCE).then(() => {
      this.has = true;
    });
    return this.begun;
  }

  /** Not before `begin` is through. */
  end(): void {
    if (this.has) this.slots.giveBack();
  }
}
