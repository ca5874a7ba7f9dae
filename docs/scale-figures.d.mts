interface Finding {
  name: string;
  figures: Readonly<Record<string, number>>;
}

export type Server = 'host' | 'PostgreSQL' | 'Redis';
export type Times = Record<Server, number>;

export interface Units {
  accept: Times;
  deliver: Times;
  notify: Times;
  all: Times;
  /** Host's time for one event that is sent to an endpoint, at most. Microseconds. */
  sent: number;
  best: number;
  together: { redis: number; postgres: number };
  ratePerWorker: number;
  disk: number;
  content: number;
  log: number;
  waiting: { crowded: number; single: number };
  memory: number;
  workers: {
    one: { rate: number; time: number };
    two: { rate: number; time: number };
    local: { one: number; two: number };
  };
  /** Processor time of an email that is accepted alone. Microseconds. */
  alone: number;
}

export interface Needs {
  mean: number;
  peak: number;
  cores: Times;
  processes: number;
  databaseConnections: number;
  smtpConnections: number;
  diskADay: number;
  disk: number;
  logASecond: number;
  outASecond: number;
  backlog: number;
}

export type Table = [head: string[], rows: string[][]];

export const PEAK: number;
export const PLANNED: number;
export const ENVELOPE: number;
export function unitsOf(findings: readonly Finding[]): Units;
export function needsOf(units: Units, perDay: number): Needs;
export function timesTable(units: Units): Table;
export function bytesTable(units: Units): Table;
export function needsTable(units: Units): Table;
export function coresTable(units: Units): Table;
export function millionTable(units: Units): Table;
