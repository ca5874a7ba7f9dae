import { StartError } from '../shared/errors/start.error.js';

type Ending = () => void | Promise<void>;

/** What was started, to be ended in the opposite order. */
export class Lifecycle {
  private readonly endings: Ending[] = [];
  private ended: Promise<void> | undefined;

  /** @param onFailure told what an ending failed with; the others follow all the same */
  constructor(private readonly onFailure: (error: unknown) => void) {}

  /**
   * Starts something and notes how it ends.
   *
   * @throws StartError when the process is being stopped already
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

  /** Ends everything, once. */
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
