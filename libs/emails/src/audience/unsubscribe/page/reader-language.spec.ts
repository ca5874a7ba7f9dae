import { readerLanguage } from './reader-language.js';
import { ENGLISH } from './unsubscribe-texts.js';

const texts = { de: { ...ENGLISH, title: 'de' }, 'pt-BR': { ...ENGLISH, title: 'pt' } };

describe('readerLanguage', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT,en;q=0.5', 'de'],
    ['DE-at', 'de'],
    ['pt', 'pt-BR'],
    ['pt-br;q=0.1, fr', 'pt-BR'],
    ['fr, en;q=0.8, de;q=0.9', 'de'],
    ['fr, de;q=0', 'en'],
    ['en-GB, de;q=0.9', 'en'],
    ['*', 'en'],
    ['de;q=x, pt', 'pt-BR'],
    ['\0,;q=1,constructor', 'en'],
    [`${'x,'.repeat(10_000)}de`, 'en'],
  ])('of %s is %s', (header, language) => {
    expect(readerLanguage(header, texts).language).toBe(language);
  });

  it('has the texts of the host, and English ones by default', () => {
    expect(readerLanguage('de', texts).texts).toBe(texts.de);
    expect(readerLanguage('fr', texts).texts).toBe(ENGLISH);
    expect(readerLanguage('de').texts).toBe(ENGLISH);
    const own = { ...ENGLISH, title: 'Yours' };
    expect(readerLanguage('fr', { en: own }).texts).toBe(own);
  });
});
