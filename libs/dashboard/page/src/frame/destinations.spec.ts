import { destinationsOf } from './destinations';

const SCREENS = [
  { title: 'Emails', path: '/emails' },
  { title: 'API keys', path: '/keys' },
  { title: 'Metrics', path: '/metrics' },
];
const hrefs = (text: string) => destinationsOf(text, SCREENS).map(({ href }) => href);

describe('destinationsOf', () => {
  it.each([
    ['', ['/emails', '/keys', '/metrics']],
    [' KEY ', ['/keys']],
    ['nothing like it', []],
    ['0192F0C1-2345-7abc-8def-0123456789ab', ['/emails/0192f0c1-2345-7abc-8def-0123456789ab']],
    ['\ud800@example.com', []],
    ['jane@\udc00', []],
    ['jane+a/b@example.com', ['/people/jane%2Ba%2Fb%40example.com', '/emails?q=to%3Ajane%2Ba%2Fb%40example.com']],
  ])('of %j are %j', (text, expected) => {
    expect(hrefs(text)).toEqual(expected);
  });
});
