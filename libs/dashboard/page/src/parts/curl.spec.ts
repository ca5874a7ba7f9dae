import { execFileSync } from 'node:child_process';
import { curlOf } from './curl';

/** The body that a shell passes to `curl`, which is replaced by a function. */
function bodyIn(command: string): unknown {
  const fake = 'curl() { for last; do :; done; if [ "$last" = @- ]; then cat; else printf %s "$last"; fi; }\n';
  return JSON.parse(execFileSync('sh', { input: fake + command, encoding: 'utf8', maxBuffer: 20_000_000 }));
}

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

  it.each([
    ['every byte', Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('')],
    ['expansions', "$(id) `id` $HOME ~ !! \\ \\n \"\" ''' %s @/etc/passwd"],
    ['line ends', 'a\r\nb\nEND\n\u2028c'],
    ['reversed text', '\u202eexe.doc\u200b\ufeff\ud83d\ude00'],
    ['long text', `it's ${'<p>long</p>\nEND\n'.repeat(100_000)}`],
  ])('brings %s through a shell unchanged', (_, text) => {
    const command = curlOf('http://a.test', 'POST', 'emails', { text });
    expect(bodyIn(command)).toEqual({ text });
    expect(command.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });
});
