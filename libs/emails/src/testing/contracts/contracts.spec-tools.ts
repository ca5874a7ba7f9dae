import type { ContractCase } from './contract-case.js';

/** Runs all cases and gives the names of those that do not pass, with what they say. */
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

/** What the first case that does not pass says; undefined when all do. */
export async function firstComplaint(cases: readonly ContractCase[]): Promise<string | undefined> {
  return Object.values(await brokenOf(cases))[0];
}
