import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { tie } from '../../support/basics/tied-children.mjs';

/** A script of this folder in a separate process, which answers each message with one message. */
export class Child<Ready = unknown> {
  private constructor(
    private readonly child: ChildProcess,
    /** Its output at the start. */
    readonly ready: Ready,
  ) {}

  /** @param script relative to `test/bench` */
  static async start<Ready>(
    script: string,
    args: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
  ): Promise<Child<Ready>> {
    const child = tie(
      fork(fileURLToPath(new URL(`../${script}`, import.meta.url)), [...args], {
        env: { ...process.env, ...env },
        serialization: 'advanced',
      }),
    );
    return new Child(child, (await messageOf(child, script)) as Ready);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  tell(message: object | string): void {
    this.child.send(message);
  }

  async ask<Answer>(message: object | string): Promise<Answer> {
    this.tell(message);
    return (await messageOf(this.child, this.child.spawnfile)) as Answer;
  }

  async stop(): Promise<void> {
    await stopProcess(this.child);
  }
}

/** For the other side. */
export function reply(message: unknown): void {
  process.send?.(message);
}

/** SIGTERM, and SIGKILL after 20 seconds. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await exited;
  clearTimeout(timer);
}

async function messageOf(child: ChildProcess, name: string): Promise<unknown> {
  const listening = new AbortController();
  const { signal } = listening;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`${name} ended with ${code}.`);
      }),
    ]);
  } finally {
    listening.abort();
  }
}
