import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { AlarmKey, NewAlarm } from '../../shared/alarms/alarms.js';
import { endLease } from '../../shared/work/end-lease.js';
import { inTime } from '../../shared/work/in-time.js';
import { RetryPolicy } from '../../shared/work/retry-policy.js';
import type { Alarm, AlarmSource, OnAlarm, OpenAlarm } from '../ports/alarm-source.js';
import { type AlarmStore, type ClaimedAlarm, type DueAlarmWork, keyOf } from '../storage/alarms/alarm.repository.js';

/** Time between two looks, of all processes together. Milliseconds. */
const INTERVAL = 10_000;
/** Timeout of a source. Milliseconds. */
const PATIENCE_OF_SOURCES = 5_000;
/** Calls of the host at the same time. */
const SLOTS = 10;
/** Timeout of a call, and duration of its lease. Milliseconds. */
const PATIENCE = 30_000;
const LEASE = 60_000;
/** Wait for calls at a shutdown. Milliseconds. */
const PATIENCE_AT_END = 5_000;

const MINUTE = 60_000;
/** After failed calls: a day in all. An end waits for its begin, so the waits are short. */
const SCHEDULE: readonly number[] = [5_000, MINUTE / 2, 2 * MINUTE, ...Array<number>(144).fill(10 * MINUTE)];

type Store = Pick<
  AlarmStore,
  'watch' | 'claimLook' | 'open' | 'raise' | 'end' | 'claim' | 'notified' | 'forget' | 'putOff'
>;

/**
 * Asks the sources of alarms, and notifies the host of begins and ends. Any number of processes may run it: each look is
 * claimed by one, and each call has a lease. Without `onAlarm` it does nothing.
 */
@Injectable()
export class AlarmsWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AlarmsWorker.name);
  private readonly policy = new RetryPolicy(SCHEDULE);
  private readonly codes: readonly string[];
  private readonly calls = new Set<Promise<void>>();
  private readonly failing = new Set<AlarmSource>();
  private endWatch = () => {};
  private looking: Promise<void> | undefined;
  private calling: Promise<void> | undefined;
  private isStopped = false;
  /** Functions that end the wait for a call. */
  private readonly abandons = new Set<() => void>();

  constructor(
    private readonly alarms: Store,
    private readonly sources: readonly AlarmSource[],
    private readonly onAlarm: OnAlarm | undefined,
    private readonly patience: number = PATIENCE,
    private readonly patienceAtEnd: number = PATIENCE_AT_END,
  ) {
    this.codes = sources.flatMap(({ codes }) => codes);
  }

  onApplicationBootstrap(): void {
    if (this.onAlarm) this.endWatch = this.alarms.watch((due) => this.found(due));
  }

  /** A call that takes longer has failed: another process tries again. */
  async beforeApplicationShutdown(): Promise<void> {
    this.endWatch();
    this.isStopped = true;
    await inTime(Promise.all([this.looking, this.calling, ...this.calls]), this.patienceAtEnd, () => {
      for (const abandon of this.abandons) abandon();
    });
    await inTime(Promise.all(this.calls), this.patienceAtEnd, () => {});
  }

  /** Asks all sources, if no other process has just done so. */
  async look(): Promise<void> {
    if (!(await this.alarms.claimLook(INTERVAL))) return;
    const open = await this.alarms.open(this.codes);
    await Promise.all(this.sources.map((source) => this.ask(source, open)));
  }

  /** Notifies the host of what is pending. Resolves when the last calls have begun. */
  async call(): Promise<void> {
    while (!this.isStopped) {
      const free = SLOTS - this.calls.size;
      const claimed = free > 0 ? await this.alarms.claim(LEASE, free) : [];
      for (const alarm of claimed) {
        const called = this.notify(alarm).finally(() => this.calls.delete(called));
        this.calls.add(called);
      }
      if (claimed.length < free) return;
      await Promise.race(this.calls);
    }
  }

  private found({ look, call }: DueAlarmWork): void {
    if (this.isStopped) return;
    if (look) {
      this.looking ??= this.orWarn(this.look()).finally(() => {
        this.looking = undefined;
      });
    }
    if (call) {
      this.calling ??= this.orWarn(this.call()).finally(() => {
        this.calling = undefined;
      });
    }
  }

  private orWarn(work: Promise<void>): Promise<void> {
    return work.catch(() => this.logger.warn('Pending alarms could not be read. It will be tried again.'));
  }

  private async ask(source: AlarmSource, all: readonly OpenAlarm[]): Promise<void> {
    const open = all.filter(({ code }) => source.codes.includes(code));
    try {
      const active = await inTime(source.active(open), PATIENCE_OF_SOURCES, () => {
        throw new Error('There was no answer in time.');
      });
      const stranger = active.find(({ code }) => !source.codes.includes(code));
      if (stranger) throw new Error('It has an alarm of another code.');
      await this.apply(active, open);
      this.failing.delete(source);
    } catch {
      if (!this.failing.has(source)) {
        this.logger.warn(`Looking for alarms failed (${source.codes.join(', ')}). It will be tried again.`);
      }
      this.failing.add(source);
    }
  }

  private async apply(active: readonly NewAlarm[], open: readonly OpenAlarm[]): Promise<void> {
    const [isOn, wasOn] = [active, open].map((alarms) => new Set(alarms.map(textOf)));
    const begun = active.filter((alarm) => !wasOn?.has(textOf(alarm)));
    const ended = open.filter((alarm) => !isOn?.has(textOf(alarm)));
    if (ended.length > 0) await this.alarms.end(ended);
    if (begun.length > 0) await this.alarms.raise(begun);
  }

  private async notify(claimed: ClaimedAlarm): Promise<void> {
    const { code, isNotified, failures } = claimed;
    const record = () => (isNotified ? this.alarms.forget(claimed) : this.alarms.notified(claimed));
    try {
      await this.callHost(alarmOf(claimed));
    } catch {
      const wait = this.policy.waitAfter(failures + 1);
      if (wait === undefined) this.logger.error(`onAlarm failed for ${code}. It is given up.`);
      else this.logger.warn(`onAlarm failed for ${code}. It will be tried again.`);
      await endLease(() => (wait === undefined ? record() : this.alarms.putOff(claimed, wait)), LEASE - this.patience);
      return;
    }
    await endLease(record, LEASE - this.patience);
  }

  private async callHost(alarm: Alarm): Promise<void> {
    let abandon = () => {};
    const late = new Promise<never>((_, reject) => {
      abandon = () => reject(new Error('The call takes too long.'));
    });
    const timer = setTimeout(abandon, this.patience);
    this.abandons.add(abandon);
    try {
      await Promise.race([this.onAlarm?.(alarm), late]);
    } finally {
      clearTimeout(timer);
      this.abandons.delete(abandon);
    }
  }
}

/** The begin comes first, also of an alarm that has ended meanwhile. */
function alarmOf({ code, account, subject, text, since, endedAt, isNotified }: ClaimedAlarm): Alarm {
  return {
    code,
    since,
    ...(isNotified && endedAt && { until: endedAt }),
    ...(account !== undefined && { account }),
    subject,
    text,
  };
}

/** As it is stored, so that a long subject is the same one. */
function textOf(alarm: AlarmKey): string {
  return JSON.stringify(keyOf(alarm));
}
