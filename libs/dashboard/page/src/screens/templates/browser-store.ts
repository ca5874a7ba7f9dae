import type { EditedTemplate } from './edited-template';

/** Unsaved edits. */
export interface LocalDraft {
  /** `updated_at` of the template when the editing started. */
  base: string;
  fields: EditedTemplate;
  /** Time of storage. ISO 8601. */
  keptAt: string;
}

const draftKey = (id: string) => `nestjs-emails template ${id}`;
const samplesKey = (id: string) => `nestjs-emails samples ${id}`;
const testKey = (account: string) => `nestjs-emails test ${account}`;

/** The draft of a template in this browser. */
export function readDraft(id: string): LocalDraft | undefined {
  return readKept<LocalDraft>(draftKey(id));
}

/** @returns false when the browser's storage is full */
export function keepDraft(id: string, draft: LocalDraft | undefined): boolean {
  return keep(draftKey(id), draft);
}

/** Typed sample values of a template's variables. */
export function readSamples(id: string): Record<string, string> {
  return readKept(samplesKey(id)) ?? {};
}

export function keepSamples(id: string, samples: Record<string, string> | undefined): void {
  keep(samplesKey(id), samples);
}

/** Sender and recipient of an account's last test. */
export interface TestAddresses {
  from: string;
  to: string;
}

export function readTestAddresses(account: string): TestAddresses {
  return readKept(testKey(account)) ?? { from: '', to: '' };
}

export function keepTestAddresses(account: string, addresses: TestAddresses): void {
  keep(testKey(account), addresses);
}

function readKept<T>(key: string): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '') as T;
  } catch {
    return undefined;
  }
}

function keep(key: string, value: unknown): boolean {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
