import type { AlarmKey, Alarms, NewAlarm } from '../../shared/alarms/alarms.js';
import type { Transaction } from '../../shared/rows/sql-transaction.js';
import type { AlarmStore } from '../storage/alarms/alarm.repository.js';

const CODE = /^[a-z][a-z0-9_]{0,49}$/;

/** Begins and ends alarms; without `onAlarm` it does nothing. */
export class AlarmsService implements Alarms {
  constructor(
    private readonly repository: Pick<AlarmStore, 'raise' | 'end'>,
    readonly isOn: boolean,
  ) {}

  async raise(alarm: NewAlarm, transaction?: Transaction): Promise<void> {
    check(alarm);
    if (this.isOn) await this.repository.raise([alarm], transaction);
  }

  async end(alarm: AlarmKey, transaction?: Transaction): Promise<void> {
    check(alarm);
    if (this.isOn) await this.repository.end([alarm], transaction);
  }
}

function check({ code }: AlarmKey): void {
  if (!CODE.test(code)) throw new TypeError(`The code of an alarm must match ${CODE.source}.`);
}
