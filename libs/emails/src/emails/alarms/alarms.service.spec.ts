import { jest } from '@jest/globals';
import type { AlarmStore } from '../storage/alarms/alarm.repository.js';
import { AlarmsService } from './alarms.service.js';

const ALARM = { code: 'quota', subject: 'day', text: 'Ninety percent are used.' };

function serviceThat(isOn: boolean) {
  const store = { raise: jest.fn<AlarmStore['raise']>(), end: jest.fn<AlarmStore['end']>() };
  return { store, alarms: new AlarmsService(store, isOn) };
}

describe('AlarmsService', () => {
  it('writes begins and ends in the given transaction', async () => {
    const { alarms, store } = serviceThat(true);
    const transaction = { query: async () => ({ rows: [] }) };
    await alarms.raise(ALARM, transaction);
    await alarms.end(ALARM, transaction);
    expect(store.raise.mock.calls).toEqual([[[ALARM], transaction]]);
    expect(store.end.mock.calls).toEqual([[[ALARM], transaction]]);
  });

  it('writes nothing without `onAlarm`', async () => {
    const { alarms, store } = serviceThat(false);
    await alarms.raise(ALARM);
    await alarms.end(ALARM);
    expect([alarms.isOn, store.raise.mock.calls, store.end.mock.calls]).toEqual([false, [], []]);
  });

  it.each(['', 'Quota', 'a b', '1a', 'a'.repeat(51)])('refuses the code %j', async (code) => {
    const { alarms } = serviceThat(false);
    await expect(alarms.raise({ ...ALARM, code })).rejects.toThrow(TypeError);
    await expect(alarms.end({ ...ALARM, code })).rejects.toThrow(TypeError);
  });
});
