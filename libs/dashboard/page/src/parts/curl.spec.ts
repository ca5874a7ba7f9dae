import { curlOf } from './curl';

describe('curlOf', () => {
  it('writes a body on one line, quoted for a shell', () => {
    expect(curlOf('http://127.0.0.1:3000/', 'POST', 'emails', { subject: "It's here" })).toBe(
      [
        "curl 'http://127.0.0.1:3000/emails' \\",
        '  -H "Authorization: Bearer $API_KEY" \\',
        "  -H 'Content-Type: application/json' \\",
        `  -d '{"subject":"It'\\''s here"}'`,
      ].join('\n'),
    );
  });

  it('names a method other than the default of curl', () => {
    expect(curlOf('http://a.test', 'DELETE', 'topics/x')).toMatch(/^curl -X DELETE 'http:\/\/a\.test\/topics\/x'/);
    expect(curlOf('http://a.test', 'GET', 'topics')).toMatch(/^curl 'http:/);
    expect(curlOf('http://a.test', 'POST', 'emails/x/cancel')).toMatch(/^curl -X POST /);
  });
});
