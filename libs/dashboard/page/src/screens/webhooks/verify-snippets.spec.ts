import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { VERIFY_SNIPPETS } from './verify-snippets';

const KEY = Buffer.alloc(32, 7);
const SECRET = `whsec_${KEY.toString('base64')}`;
const BODY = JSON.stringify({ type: 'email.sent', data: { subject: 'Grüße "\\ 😀' } });
const ID = 'msg_123456789012345678901234567';

const nowInSeconds = () => Math.floor(Date.now() / 1_000);
const sign = (sent: number, key = KEY) =>
  `v1,${createHmac('sha256', key).update(`${ID}.${sent}.${BODY}`).digest('base64')}`;

interface Request {
  headers: Record<string, string>;
  body: string;
}

function request(change: { sent?: number; signature?: string; body?: string } = {}): Request {
  const { sent = nowInSeconds(), signature = sign(sent), body = BODY } = change;
  return { headers: { 'svix-id': ID, 'svix-timestamp': String(sent), 'svix-signature': signature }, body };
}

/** Runs a snippet on a request, and returns the printed event, or the error. */
const RUNNERS = {
  Node: (code: string, given: Request) =>
    spawnSync('node', ['--input-type=module', '-e', `${code}\n${NODE_CALL}`, JSON.stringify(given), SECRET]),
  Python: (code: string, given: Request) =>
    spawnSync('python3', ['-c', `${code}\n${PYTHON_CALL}`, JSON.stringify(given), SECRET]),
};
const NODE_CALL = `const { headers, body } = JSON.parse(process.argv[1]);
try { console.log(JSON.stringify(verify(process.argv[2], headers, body))); } catch (error) { console.log(error.message); }`;
const PYTHON_CALL = `import sys
given = json.loads(sys.argv[1])
try:
    print(json.dumps(verify(sys.argv[2], given["headers"], given["body"].encode())))
except ValueError as error:
    print(error)`;

const codeOf = (language: string) => VERIFY_SNIPPETS.find(({ title }) => title === language)?.text ?? '';

const CASES: [string, Request, string | undefined][] = [
  ['a right signature', request(), undefined],
  [
    'one of two signatures',
    request({ signature: `${sign(nowInSeconds(), Buffer.alloc(32))} ${sign(nowInSeconds())}` }),
    undefined,
  ],
  ['another secret', request({ signature: sign(nowInSeconds(), Buffer.alloc(32)) }), 'The signature is wrong.'],
  ['another body', request({ body: `${BODY} ` }), 'The signature is wrong.'],
  ['no signature', request({ signature: '' }), 'The signature is wrong.'],
  ['letters of other scripts', request({ signature: 'v1,Grüße' }), 'The signature is wrong.'],
  ['an old request', request({ sent: nowInSeconds() - 600 }), 'The timestamp is too old.'],
  ['a request of the future', request({ sent: nowInSeconds() + 600 }), 'The timestamp is too old.'],
];

describe.each(['Node', 'Python'] as const)('the snippet for %s', (language) => {
  it.each(CASES)('with %s', (_, given, refusal) => {
    const { stdout, stderr } = RUNNERS[language](codeOf(language), given);
    expect(stderr.toString()).toBe('');
    const printed = stdout.toString().trim();
    if (refusal !== undefined) expect(printed).toBe(refusal);
    else expect(JSON.parse(printed)).toEqual(JSON.parse(BODY));
  });
});

/** Steps of a program in a language that is not on every machine. */
const STEPS = {
  Go: [
    /TrimPrefix\(secret, "whsec_"\)/,
    /base64\.StdEncoding\.DecodeString/,
    /hmac\.New\(sha256\.New, key\)/,
    /"%s\.%s\.%s", id, sent, body/,
    /Split\(header\.Get\("svix-signature"\), " "\)/,
    /TrimPrefix\(signature, "v1,"\)/,
    /hmac\.Equal/,
    /5\*time\.Minute/,
  ],
  Ruby: [
    /delete_prefix\("whsec_"\)/,
    /Base64\.decode64/,
    /HMAC\.digest\("SHA256", key, "#\{id\}\.#\{sent\}\.#\{body\}"\)/,
    /headers\["svix-signature"\]\.split\(" "\)/,
    /delete_prefix\("v1,"\)/,
    /secure_compare/,
    /abs > 300/,
  ],
};

describe.each(['Go', 'Ruby'] as const)('the snippet for %s', (language) => {
  it('has every step, with brackets and blocks that close', () => {
    const code = codeOf(language);
    for (const step of STEPS[language]) expect(code).toMatch(step);
    for (const [open, close] of ['()', '{}', '[]']) {
      expect(code.split(open as string).length).toBe(code.split(close as string).length);
    }
    const blocks = code.match(/^\s*(def|unless|if)\b.*$/gm) ?? [];
    if (language === 'Ruby') expect(code.match(/^\s*end$/gm)).toHaveLength(blocks.length);
  });
});
