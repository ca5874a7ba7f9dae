import { audience } from './audience.feature.js';
import type { AudienceOptions } from './audience.options.js';
import { ENGLISH } from './unsubscribe/page/unsubscribe-texts.js';

const refused = (options: object) => () => audience(options as AudienceOptions);

describe('audience', () => {
  it.each([
    {},
    { unsubscribe: false },
    { unsubscribe: {} },
    { unsubscribe: { texts: { de: ENGLISH, 'pt-BR': { ...ENGLISH, direction: 'rtl' } }, page: { render: () => '' } } },
    { secretKeys: ['s'.repeat(32)], unsubscribe: { texts: {} } },
  ])('takes %.80j', (options) => {
    expect(refused(options)).not.toThrow();
  });

  it.each<[object, string]>([
    [{ unsubscribe: true }, '`unsubscribe` must be an object'],
    [{ unsubscribe: { page: {} } }, '`unsubscribe.page` must be a page of choices: it lacks the method `render`'],
    [{ unsubscribe: { page: { render: () => '', renderInvalid: 1 } } }, '`unsubscribe.page.renderInvalid` must be'],
    [{ unsubscribe: { texts: { german: {} } } }, '`unsubscribe.texts.german.title` is missing'],
    [{ unsubscribe: { texts: { 'de;x': ENGLISH } } }, 'must have tags of languages as keys'],
    [{ unsubscribe: { texts: { de: { ...ENGLISH, title: 1 } } } }, '`unsubscribe.texts.de.title` must be a text'],
    [{ unsubscribe: { texts: { de: { ...ENGLISH, direction: 'up' } } } }, '`ltr` or `rtl`'],
    [{ unsubscribe: { langs: {} } }, '`unsubscribe.langs` is no option'],
    [{ secretKeys: ['short'] }, '`secretKeys[0]` must have 32'],
  ])('refuses %.80j', (options, message) => {
    expect(refused(options)).toThrow(message);
  });
});
