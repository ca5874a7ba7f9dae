import { jest } from '@jest/globals';
import type { Alarm } from 'nestjs-emails';
import type { AlarmChannel } from './alarm-channel.js';
import { AlarmChannels } from './alarm-channels.js';

const ALARM: Alarm = { code: 'quota', account: 'acme', subject: 'day', text: 'Full.', since: new Date(0) };

/** A channel that keeps what it got; `fails` times it rejects first. */
function channelNamed(name: string, fails = 0) {
  const got: [Alarm, string][] = [];
  const channel: AlarmChannel = {
    name,
    send: async (alarm, id) => {
      got.push([alarm, id]);
      if (got.length <= fails) throw new Error('it answered 500');
    },
  };
  return { got, channel };
}

const logged = () => ({ error: jest.fn() });

describe('AlarmChannels', () => {
  it('sends each alarm by every channel, with one id for a begin and another for its end', async () => {
    const [one, two] = [channelNamed('one'), channelNamed('two')];
    const channels = new AlarmChannels([one.channel], logged());
    channels.add(two.channel);
    await channels.onAlarm(ALARM);
    await channels.onAlarm(ALARM);
    await channels.onAlarm({ ...ALARM, until: new Date(1) });
    expect(two.got).toEqual(one.got);
    const [begin, again, end] = one.got.map(([, id]) => id);
    expect(begin).toBe(again);
    expect(begin).not.toBe(end);
  });

  it('sends it again only by those that failed', async () => {
    const [good, bad] = [channelNamed('good'), channelNamed('bad', 2)];
    const log = logged();
    const channels = new AlarmChannels([good.channel, bad.channel], log);
    await expect(channels.onAlarm(ALARM)).rejects.toThrow();
    await expect(channels.onAlarm(ALARM)).rejects.toThrow();
    await channels.onAlarm(ALARM);
    expect([good.got.length, bad.got.length]).toEqual([1, 3]);
    expect(log.error.mock.calls).toEqual(
      Array(2).fill([{ alarm: 'quota' }, 'An alarm did not reach bad: it answered 500.']),
    );
    await channels.onAlarm(ALARM);
    expect([good.got.length, bad.got.length]).toEqual([2, 4]);
  });

  it('does not let one channel wait for another', async () => {
    const good = channelNamed('good');
    const hanging: AlarmChannel = { name: 'hanging', send: () => new Promise(() => {}) };
    const channels = new AlarmChannels([hanging, good.channel], logged());
    void channels.onAlarm(ALARM);
    await new Promise(setImmediate);
    expect(good.got).toHaveLength(1);
  });

  it('remembers a limited number of alarms', async () => {
    const [good, bad] = [channelNamed('good'), channelNamed('bad', Number.POSITIVE_INFINITY)];
    const channels = new AlarmChannels([good.channel, bad.channel], logged());
    for (let at = 0; at <= 1_000; at++) {
      await expect(channels.onAlarm({ ...ALARM, subject: String(at) })).rejects.toThrow();
    }
    const again = (subject: string) => expect(channels.onAlarm({ ...ALARM, subject })).rejects.toThrow();
    await again('1000');
    expect(good.got).toHaveLength(1_001);
    await again('0');
    expect(good.got).toHaveLength(1_002);
  });
});
