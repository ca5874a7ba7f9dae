import { jest } from '@jest/globals';
import { AdminAccess } from './admin-access.js';

const TOKEN = 'an-admin-token-of-24-chars';

function asking(authorization: string | undefined) {
  const count = jest.fn(async () => {});
  const access = new AdminAccess(TOKEN, { count } as never);
  const request = { headers: { authorization }, socket: { remoteAddress: '192.0.2.1' } };
  return { answer: access.require(request as never), count };
}

const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('AdminAccess', () => {
  it.each([
    ['a bearer token', `Bearer ${TOKEN}`],
    ['a bearer token, in any case', `bearer ${TOKEN}`],
    ['the password of any user', basic('prometheus', TOKEN)],
    ['the password without a user', basic('', TOKEN)],
  ])('admits with %s', async (_, authorization) => {
    const { answer, count } = asking(authorization);
    await answer;
    expect(count).not.toHaveBeenCalled();
  });

  it.each([
    ['another token', `Bearer ${TOKEN}x`],
    ['the beginning of the token', `Bearer ${TOKEN.slice(0, 8)}`],
    ['another password', basic('admin', 'admin')],
    ['the token as the user', basic(TOKEN, '')],
    ['no colon', `Basic ${Buffer.from('x').toString('base64')}`],
  ])('refuses and counts %s', async (_, authorization) => {
    const { answer, count } = asking(authorization);
    await expect(answer).rejects.toMatchObject({ statusCode: 401, name: 'invalid_api_key' });
    expect(count).toHaveBeenCalledWith('192.0.2.1');
  });

  it.each([[undefined], [''], ['Bearer'], ['Digest x']])('asks for missing credentials: %s', async (authorization) => {
    const { answer, count } = asking(authorization);
    await expect(answer).rejects.toMatchObject({
      name: 'missing_api_key',
      headers: { 'www-authenticate': expect.stringMatching(/^Basic /) },
    });
    expect(count).not.toHaveBeenCalled();
  });
});
