import { Injectable } from '@nestjs/common';

/** Connects the subscription that counts refusals with the watch that judges them. */
@Injectable()
export class RefusalNotice {
  private wake = () => {};

  /** @param wake is called after refusals were committed by this process */
  watch(wake: () => void): void {
    this.wake = wake;
  }

  /** Refusals were committed. */
  note(): void {
    this.wake();
  }
}
