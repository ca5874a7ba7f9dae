import { samplesOf, shownVariables, withVariable, wrongValue } from './edited-variables';

const NAME = { key: 'NAME', type: 'string' as const, fallback: null };
const COUNT = { key: 'COUNT', type: 'number' as const, fallback: '3' };

describe('variables of a template', () => {
  it('are the declared and the used ones', () => {
    const shown = shownVariables([NAME, COUNT], ['COUNT', 'CITY']);
    expect(shown.map(({ key, isUsed, isNew }) => [key, isUsed, isNew])).toEqual([
      ['NAME', false, false],
      ['COUNT', true, false],
      ['CITY', true, true],
    ]);
  });

  it('are declared by a change', () => {
    const city = { key: 'CITY', type: 'string' as const, fallback: '' };
    expect(withVariable([NAME], city)).toEqual([NAME, city]);
    expect(withVariable([NAME, city], { ...city, fallback: null })).toEqual([NAME, { ...city, fallback: null }]);
  });

  it('have values of their type', () => {
    expect(wrongValue('number', ' 1e3 ')).toBeUndefined();
    expect(wrongValue('number', '')).toBeDefined();
    expect(wrongValue('number', 'Infinity')).toBeDefined();
    expect(wrongValue('string', '')).toBeUndefined();
    expect(wrongValue('string', 'x'.repeat(2_001))).toBeDefined();
  });

  it('are filled with sample values, then with fallbacks', () => {
    expect(samplesOf([NAME, COUNT], {})).toEqual({ shown: { NAME: '[NAME]', COUNT: 3 }, given: {}, missing: ['NAME'] });
    expect(samplesOf([NAME, COUNT], { NAME: 'Jane', COUNT: '5' })).toEqual({
      shown: { NAME: 'Jane', COUNT: 5 },
      given: { NAME: 'Jane', COUNT: 5 },
      missing: [],
    });
    expect(samplesOf([COUNT], { COUNT: 'x' }).shown).toEqual({ COUNT: 3 });
  });
});
