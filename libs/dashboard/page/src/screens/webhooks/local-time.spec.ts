import { localTime } from './local-time';

describe('localTime', () => {
  it.each([0, Date.UTC(2026, 0, 1, 5, 30), Date.UTC(2026, 6, 1, 23, 59)])(
    'is read as the same minute: %d',
    (instant) => {
      expect(new Date(localTime(instant)).getTime()).toBe(instant);
    },
  );
});
