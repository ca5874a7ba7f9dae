import type { ContractCase } from './contract-case.js';

/** Runs all cases and returns the names of the failing ones, with their messages. */
export async function brokenOf(cases: readonly ContractCase[]): Promise<Record<string, string>> {
  const broken: Record<string, string> = {};
  for (const { name, run } of cases) {
    try {
      await run();
    } catch (error) {
      broken[name] = (error as Error).message;
    }
  }
  return broken;
}

/** Message of the first case that fails; undefined when all pass. */
export async function firstComplaint(cases: readonly ContractCase[]): Promise<string | undefined> {
  return Object.values(await brokenOf(cases))[0];
}
