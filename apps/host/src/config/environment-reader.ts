import { SettingsError } from './settings.error.js';

/** Parser of one variable. */
export interface Variable<T> {
  /** Undefined: the value is invalid. */
  parse: (value: string) => T | undefined;
  /** Description of a valid value, as the end of "… must be". */
  expected: string;
  /** True keeps the value out of the message, as it may hold a password. */
  secret?: boolean;
}

/** Reads variables one by one and collects the problems, to report them together. */
export class EnvironmentReader {
  private readonly problems: string[] = [];

  constructor(private readonly environment: Readonly<Record<string, string | undefined>>) {}

  /** Undefined when the variable is unset, empty or invalid. */
  read<T>(name: string, { parse, expected, secret = false }: Variable<T>): T | undefined {
    const value = this.environment[name];
    if (value === undefined || value === '') {
      return undefined;
    }
    const parsed = parse(value);
    if (parsed === undefined) {
      const got = secret ? 'its value is not shown, as it may hold a secret' : `got ${JSON.stringify(value)}`;
      this.problem(`${name} must be ${expected} (${got}).`);
    }
    return parsed;
  }

  problem(text: string): void {
    this.problems.push(text);
  }

  /** @throws SettingsError for any problem. */
  finish(): void {
    if (this.problems.length > 0) {
      throw new SettingsError(this.problems);
    }
  }
}
