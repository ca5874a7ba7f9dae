import { Injectable } from '@nestjs/common';

/** Connects the subscription that counts bounces with the watch that judges them, which would need each other otherwise. */
@Injectable()
export class BounceNotice {
  private wake = () => {};

  /** @param wake is called after counts were committed by this process */
  watch(wake: () => void): void {
    this.wake = wake;
  }

  /** Counts were committed. */
  note(): void {
    this.wake();
  }
}
