import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PROBES, type Probe } from './probe.js';

/** What each probe found: `ok`, or the reason why not. */
export type Readiness = Readonly<Record<string, string>>;

export const OK = 'ok';

/** A probe without an answer after this time has failed. Milliseconds. */
const PATIENCE = 2_000;

/** Asks all probes, once for all who want to know at the same time. */
@Injectable()
export class ReadinessService implements OnApplicationShutdown {
  private underWay: Promise<Readiness> | undefined;

  constructor(@Inject(PROBES) private readonly probes: readonly Probe[]) {}

  check(): Promise<Readiness> {
    this.underWay ??= this.askAll().finally(() => {
      this.underWay = undefined;
    });
    return this.underWay;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.probes.map((probe) => probe.close?.()));
  }

  private async askAll(): Promise<Readiness> {
    const answers = this.probes.map(async (probe) => [probe.name, await this.ask(probe)] as const);
    return Object.fromEntries(await Promise.all(answers));
  }

  private async ask(probe: Probe): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, PATIENCE, `there was no answer within ${PATIENCE} ms`);
    });
    const answer = probe.check().then(
      () => OK,
      (error: unknown) => probe.reason(error),
    );
    try {
      return await Promise.race([answer, silence]);
    } finally {
      clearTimeout(timer);
    }
  }
}
