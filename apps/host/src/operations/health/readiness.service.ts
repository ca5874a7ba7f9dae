import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { PausedPart, StagingPart } from 'nestjs-emails';
import { PROBES, type Probe } from './probe.js';

/** Result of each probe: `ok`, or the reason why not. */
export type Findings = Readonly<Record<string, string>>;

export interface Readiness {
  /** `degraded`: this process does its work, but something will be late. `down`: it cannot do its work. */
  status: 'ok' | 'degraded' | 'down';
  checks: Findings;
  /** Present while the staging switch is on: its options, without addresses. */
  staging?: readonly StagingPart[];
  /** Present while any mail is paused: its kinds, without ids. */
  paused?: readonly PausedPart[];
}

const OK = 'ok';

/** A probe without an answer after this time has failed. Milliseconds. */
const PATIENCE = 2_000;

/** Runs all probes, once for concurrent callers. */
@Injectable()
export class ReadinessService implements OnApplicationShutdown {
  private running: Promise<Readiness> | undefined;
  private stopping = false;

  constructor(@Inject(PROBES) private readonly probes: readonly Probe[]) {}

  check(): Promise<Readiness> {
    if (this.stopping) return Promise.resolve({ status: 'down', checks: { process: 'it is stopping' } });
    this.running ??= this.askAll().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** From now on the process is not ready, though it still serves requests. */
  stop(): void {
    this.stopping = true;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.probes.map((probe) => probe.close?.()));
  }

  private async askAll(): Promise<Readiness> {
    const answers = await Promise.all(this.probes.map(async (probe) => [probe, await this.ask(probe)] as const));
    const failed = answers.filter(([, finding]) => finding !== OK).map(([probe]) => probe);
    return {
      status: failed.some(({ vital }) => vital) ? 'down' : failed.length > 0 ? 'degraded' : 'ok',
      checks: Object.fromEntries(answers.map(([{ name }, finding]) => [name, finding])),
    };
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
