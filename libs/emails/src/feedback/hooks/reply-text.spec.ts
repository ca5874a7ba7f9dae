import { replyText } from './reply-text.js';

describe('replyText', () => {
  it.each([
    [{ text: 'smtp; 550 5.1.1 <jane@example.com>... User' }, '550 5.1.1 <jane@example.com>... User'],
    [{ text: 'smtp;550 user unknown', status: '5.1.1' }, '550 5.1.1 user unknown'],
    [{ text: 'X-Postfix; unknown user', status: '5.0.0' }, '5.0.0 unknown user'],
    [{ code: '550', text: '5.1.1 The email account' }, '550 5.1.1 The email account'],
    [{ code: '550', status: '5.7.1', text: '550-5.7.1 Blocked' }, '550 5.7.1 Blocked'],
    [
      { code: '605', text: 'Not delivering to previously bounced address' },
      'Not delivering to previously bounced address',
    ],
    [{ code: '421' }, '421'],
    [{ status: '5.1.1' }, '5.1.1'],
    [{ status: 'x5.1.1', text: '' }, undefined],
    [{}, undefined],
  ])('makes of %j %j', (given, reply) => {
    expect(replyText(given)).toBe(reply);
  });
});
