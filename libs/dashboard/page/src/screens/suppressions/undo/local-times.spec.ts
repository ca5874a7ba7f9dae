import { instantOfLocal, localTimeOf } from './local-times';

describe('times of an input', () => {
  it('are those of the reader, to the minute', () => {
    const instant = new Date(2026, 10, 26, 22, 35, 41);
    expect(localTimeOf(instant)).toBe('2026-11-26T22:35');
    expect(instantOfLocal('2026-11-26T22:35')).toBe(new Date(2026, 10, 26, 22, 35).toISOString());
  });

  it.each(['', 'x', '2026-13-01T00:00'])('are none of %j', (value) => {
    expect(instantOfLocal(value)).toBeUndefined();
  });
});
