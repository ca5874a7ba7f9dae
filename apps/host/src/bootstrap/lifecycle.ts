import { StartError } from '../shared/errors/start.error.js';

type Ending = () => void | Promise<void>;

/** Started services, stopped in reverse order. */
export class Lifecycle {
  private readonly endings: Ending[] = [];
  private ended: Promise<void> | undefined;

  /** @param onFailure called with the error of a stop; the others follow anyway */
  constructor(private readonly onFailure: (error: unknown) => void) {}

  /**
   * Starts a service and registers its stop function.
   *
   * @throws StartError when the process is already stopping
   */
  async start<T>(begin: () => Promise<T>, end: (started: T) => void | Promise<void>): Promise<T> {
    this.refuseWhenEnded();
    const started = await begin();
    if (this.ended !== undefined) {
      await end(started);
    }
    this.refuseWhenEnded();
    this.endings.push(() => end(started));
    return started;
  }

  /** Stops everything, once. */
  end(): Promise<void> {
    this.ended ??= this.endAll();
    return this.ended;
  }

  private refuseWhenEnded(): void {
    if (this.ended !== undefined) {
      throw new StartError('Stopped before the start was complete.');
    }
  }

  private async endAll(): Promise<void> {
    for (let ending = this.endings.pop(); ending !== undefined; ending = this.endings.pop()) {
      try {
        await ending();
      } catch (error) {
        this.onFailure(error);
      }
    }
  }
}
