import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';
import { everyByte, filesIn, printOf, randomFile } from '../support/reading/files.js';
import { footprint } from '../support/reading/footprint.js';
import { parseMime } from '../support/reading/mime.js';
import type { SinkMessage, SmtpSink } from '../support/servers/smtp/smtp-sink.js';

/** Contract 2.2: an attachment arrives unchanged, or is refused with nothing written and nothing sent. */
describe('attachments', () => {
  let sink: SmtpSink;
  let host: RunningHost;
  let accepted = 0;

  beforeAll(async () => {
    ({ host, sink } = await shareHost());
  });

  const email = (attachments: unknown, more: object = {}) => ({
    from: 'a@from.test',
    to: 'b@to.test',
    subject: 'Files',
    text: 'See the files.',
    attachments,
    ...more,
  });

  async function deliver(attachments: unknown, more: object = {}): Promise<SinkMessage> {
    const { status, body } = await host.request<{ id: string }>('POST', '/emails', { body: email(attachments, more) });
    expect({ status, body }).toEqual({ status: 200, body: { id: expect.any(String) } });
    accepted += 1;
    return sink.waitFor(({ raw }) => raw.includes(`Message-ID: <${body.id}@`));
  }

  async function refuse(attachments: unknown, more: object = {}) {
    const before = await footprint(host);
    const { status, body } = await host.request('POST', '/emails', { body: email(attachments, more) });
    expect(await footprint(host)).toEqual(before);
    return { status, ...body };
  }

  const content = 'YWJj';

  /** Stored slices of a file with several. */
  const storedSlices = (file: Buffer) =>
    host.query(
      `SELECT count(*)::int AS slices, sum(length(content))::int AS bytes, count(DISTINCT hash)::int AS accounts
       FROM nestjs_emails.attachment_contents
       WHERE hash IN (SELECT hash FROM nestjs_emails.attachment_contents WHERE slice = 0 AND content = $1)`,
      [file.subarray(0, 1_000_000)],
    );

  const invalid = (message: string | RegExp, name = 'validation_error') => ({
    status: 422,
    statusCode: 422,
    name,
    message: expect.stringMatching(message),
  });

  describe('content', () => {
    it.each<[string, (file: Buffer) => unknown]>([
      ['a base64 string', (file) => file.toString('base64')],
      ['an array of byte values', (file) => [...file]],
      ['a serialised Buffer', (file) => JSON.parse(JSON.stringify(file))],
    ])('arrives byte for byte when it is %s', async (_, spell) => {
      const file = everyByte();
      const [received] = await filesIn(await deliver([{ filename: 'all.bin', content: spell(file) }]));
      expect(received?.content).toEqual(file);
    });

    it('may be an empty file, as a serialised Buffer', async () => {
      const message = await deliver([{ filename: 'empty.txt', content: { type: 'Buffer', data: [] } }]);
      expect(message.raw.toString('latin1')).toContain('empty.txt');
      const [received] = await filesIn(message);
      expect(received?.content).toHaveLength(0);
    });

    it('arrives with any alignment to base64 and its lines', async () => {
      const files = [1, 2, 3, 4, 56, 57, 58, 113, 114, 115, 1_023, 65_535, 65_536, 65_537].map(randomFile);
      const message = await deliver(
        files.map((file, at) => ({ filename: `${at}.bin`, content: file.toString('base64') })),
      );
      expect((await filesIn(message)).map(({ content }) => printOf(content))).toEqual(files.map(printOf));
    });

    it('arrives with any alignment to its stored slices', async () => {
      const files = [999_999, 1_000_000, 1_000_001, 2_000_000, 2_999_999].map(randomFile);
      const message = await deliver(
        files.map((file, at) => ({ filename: `${at}.bin`, content: file.toString('base64') })),
      );
      expect((await filesIn(message)).map(({ content }) => printOf(content))).toEqual(files.map(printOf));
    });

    it('that looks like SMTP or MIME stays unchanged', async () => {
      const file = Buffer.from('.\r\n..\r\n.\n--boundary--\r\nFrom nobody\nQUIT\r\n\0\r \n=3D=\r\n');
      const [received] = await filesIn(await deliver([{ filename: 'dots.txt', content: file.toString('base64') }]));
      expect(received?.content).toEqual(file);
    });

    it('is stored once for all emails with it', async () => {
      const file = randomFile(1_000_001);
      const twice = ['one.bin', 'two.bin'].map((filename) => ({ filename, content: file.toString('base64') }));
      const messages = await Promise.all([deliver(twice), deliver(twice), deliver(twice)]);
      for (const message of messages) {
        const received = await filesIn(message);
        expect(received.map(({ filename }) => filename)).toEqual(['one.bin', 'two.bin']);
        expect(received.map(({ content }) => printOf(content))).toEqual([printOf(file), printOf(file)]);
      }
      expect(await storedSlices(file)).toEqual([{ slices: 2, bytes: file.length, accounts: 1 }]);
    });

    it('is stored for each account separately, so that timing does not reveal the files of another', async () => {
      const file = randomFile(1_000_001);
      const attachments = [{ filename: 'a.bin', content: file.toString('base64') }];
      const { token } = await host.account('a stranger');
      await deliver(attachments);
      const stranger = await host.request('POST', '/emails', { body: email(attachments), token });
      expect(stranger.status).toBe(200);
      accepted += 1;
      expect(await storedSlices(file)).toEqual([{ slices: 4, bytes: 2 * file.length, accounts: 2 }]);
    });
  });

  describe('filename', () => {
    it.each([
      ['plain', 'report.pdf'],
      ['UTF-8', 'Überweisung – 請求書 📎.pdf'],
      ['with quotes, semicolons and percent signs', 'a "b"; c=\'d\' 100%20.txt'],
      ['of 255 characters', `${'ä'.repeat(251)}.txt`],
    ])('%s arrives unchanged', async (_, filename) => {
      const message = await deliver([{ filename, content: 'YWJj' }]);
      const [received] = await filesIn(message);
      expect(received).toMatchObject({ filename, disposition: 'attachment' });
      expect(received?.content.toString()).toBe('abc');
    });

    it('may be missing next to a content type', async () => {
      const message = await deliver([{ content_type: 'text/csv', content: 'YWJj' }]);
      expect(await filesIn(message)).toMatchObject([{ filename: null, mimeType: 'text/csv' }]);
    });
  });

  describe('content type', () => {
    it.each([
      ['report.pdf', 'application/pdf'],
      ['PHOTO.JPEG', 'image/jpeg'],
      ['list.csv', 'text/csv'],
      ['notes.txt', 'text/plain'],
      ['page.html', 'text/html'],
      ['unknown.xyzzy', 'application/octet-stream'],
      ['Makefile', 'application/octet-stream'],
    ])('of %s is derived: %s', async (filename, mimeType) => {
      expect(await filesIn(await deliver([{ filename, content: 'YWJj' }]))).toMatchObject([{ filename, mimeType }]);
    });

    it('given has priority, with its parameters, and does not change the bytes', async () => {
      const file = Buffer.from('Gr\xfc\xdfe\n\n', 'latin1');
      const message = await deliver([
        { filename: 'x.pdf', content_type: 'text/plain; charset=iso-8859-1', content: file.toString('base64') },
      ]);
      expect(message.raw.toString('latin1')).toMatch(/content-type: text\/plain;[^:]*charset=iso-8859-1/i);
      const [received] = await filesIn(message);
      expect(received).toMatchObject({ filename: 'x.pdf', mimeType: 'text/plain', content: file });
    });

    it.each([
      ['text/calendar; method=REQUEST; charset=utf-8', { method: 'REQUEST', charset: 'utf-8' }],
      ['application/soap+xml; action="urn:a;b=\\"c\\""; type="text/xml"', { action: 'urn:a;b="c"', type: 'text/xml' }],
      ['text/plain; format=flowed; delsp=yes', { format: 'flowed', delsp: 'yes' }],
      [
        'text/csv; boundary=x; title="Übersicht für 2027 – alle Länder, alle Monate"',
        {
          boundary: 'x',
          title: 'Übersicht für 2027 – alle Länder, alle Monate',
        },
      ],
      ["text/csv; title*=utf-8''%C3%BCber%20alles", { title: 'über alles' }],
      [`text/plain; long=${'x'.repeat(200)}`, { long: 'x'.repeat(200) }],
      ['text/plain; name="other.txt"', {}],
    ])('given as %s arrives with its parameters, each once, and our name', async (content_type, parameters) => {
      const message = await deliver([{ filename: 'f.ics', content_type, content: 'YWJj' }]);
      const [received] = await filesIn(message);
      expect(received).toMatchObject({ filename: 'f.ics', mimeType: content_type.split(';')[0] });
      expect(message.raw.toString('latin1')).toContain('\r\n\r\nYWJj\r\n');
      expect(attachmentParameters(message)).toEqual({ ...parameters, name: 'f.ics' });
    });

    it.each(['text/html', 'application/json', 'text/calendar; charset=utf-8'])(
      'given as %s does not change the bytes',
      async (content_type) => {
        const file = Buffer.from('Subject: a\n\nlone LF, \r, \xe4 and a line\r\n', 'latin1');
        const message = await deliver([{ filename: 'f', content_type, content: file.toString('base64') }]);
        const [, encoded = ''] = /filename=f\r\n\r\n([^-]*)\r\n--/.exec(message.raw.toString('latin1')) ?? [];
        expect(Buffer.from(encoded, 'base64')).toEqual(file);
      },
    );

    it('given as message/rfc822 is sent unchanged, since that must not be encoded', async () => {
      const file = 'Subject: a\r\n\r\none line\r\n';
      const content = Buffer.from(file).toString('base64');
      const { raw } = await deliver([{ filename: 'f', content_type: 'message/rfc822', content }]);
      expect(raw.toString('latin1')).toMatch(
        /content-type: message\/rfc822[\s\S]*\r\n\r\nSubject: a\r\n\r\none line\r\n/i,
      );
      expect(raw.toString('latin1')).not.toContain(content);
    });
  });

  it('content_id makes the part inline, related to the html that refers to it', async () => {
    const image = randomFile(2_000);
    const message = await deliver(
      [
        { filename: 'logo.png', content: image.toString('base64'), content_id: 'logo.1+a_b-c@from.test' },
        { filename: 'terms.pdf', content: 'YWJj' },
      ],
      { html: '<img src="cid:logo.1+a_b-c@from.test">' },
    );
    const { html } = await parseMime(message.raw);
    expect(html).toContain('cid:logo.1+a_b-c@from.test');
    const received = await filesIn(message);
    expect(received).toMatchObject([
      { filename: 'logo.png', disposition: 'inline', related: true, contentId: '<logo.1+a_b-c@from.test>' },
      { filename: 'terms.pdf', disposition: 'attachment' },
    ]);
    expect(received[0]?.content).toEqual(image);
    expect(received[1]).not.toHaveProperty('contentId');
    expect(message.raw.toString('latin1')).toMatch(/content-type: multipart\/related/i);
  });

  it.each([
    { contentType: 'image/png', contentId: 'logo' },
    { content_type: 'image/png', inline_content_id: 'cid:logo' },
    { contentType: 'image/png', content_type: 'image/png', inlineContentId: '<logo>', content_id: 'cid:<logo>' },
  ])('accepts other spellings: %j', async (spelled) => {
    const message = await deliver([{ filename: 'x', content, ...spelled }], { html: '<img src="cid:logo">' });
    expect(await filesIn(message)).toMatchObject([
      { mimeType: 'image/png', disposition: 'inline', contentId: '<logo>', related: true },
    ]);
  });

  it.each([
    { content_type: 'image/png', contentType: 'image/gif' },
    { content_id: 'logo', inline_content_id: 'other' },
  ])('refuses two values for one field: %j', async (spelled) => {
    expect(await refuse([{ filename: 'x', content, ...spelled }])).toEqual(
      invalid(/`attachments\[0\]\.(contentType|inline_content_id)` is another spelling of `attachments\[0\]/),
    );
  });

  it.each([
    ['nothing else', { text: undefined }],
    ['html alone', { text: '', html: '<p>Hi</p>' }],
    ['both texts', { html: '<p>Hi</p>' }],
  ])('arrives with %s', async (_, texts) => {
    const file = everyByte();
    const message = await deliver([{ filename: 'f.bin', content: file.toString('base64') }], texts);
    expect((await filesIn(message)).map(({ filename, content }) => [filename, printOf(content)])).toEqual([
      ['f.bin', printOf(file)],
    ]);
  });

  it.each([[], null, ''])('%j counts as absent', async (attachments) => {
    expect(await filesIn(await deliver(attachments))).toEqual([]);
  });

  it('treats empty values of optional fields as absent', async () => {
    const message = await deliver([
      { filename: 'a.txt', content: 'YWJj', path: '', content_type: null, content_id: '' },
    ]);
    expect(await filesIn(message)).toMatchObject([
      { filename: 'a.txt', mimeType: 'text/plain', disposition: 'attachment' },
    ]);
  });

  it.each<[string, unknown, ReturnType<typeof invalid>]>([
    ['neither content nor path', [{ filename: 'a.txt' }], invalid(/content.*path/, 'invalid_attachment')],
    ['empty content', [{ filename: 'a.txt', content: '' }], invalid(/content.*path/, 'invalid_attachment')],
    ['an empty array', [{ filename: 'a.txt', content: [] }], invalid(/content.*path/, 'invalid_attachment')],
    ['both content and path', [{ filename: 'a.txt', content, path: 'https://a.test/b' }], invalid(/content.*path/)],
    ['content and no label', [{ content }], invalid(/filename.*content_type/)],
    [
      'a second one that is invalid',
      [{ filename: 'a.txt', content: 'AAAA' }, { filename: 'b.txt' }],
      invalid(/attachments\[1\]/, 'invalid_attachment'),
    ],
  ])('refuses %s', async (_, attachments, refusal) => {
    expect(await refuse(attachments)).toEqual(refusal);
  });

  it.each<[string, unknown]>([
    ['characters that are not base64', 'ab$d'],
    ['base64url', 'ab-_'],
    ['a data URL', 'data:text/plain;base64,YWJj'],
    ['padding in the middle', 'YQ==YWJj'],
    ['a length that no bytes have', 'YWJjZ'],
    ['text', 'Hello, world!'],
    ['a number', 7],
    ['true', true],
    ['an object', { a: 1 }],
    ['a Buffer without data', { type: 'Buffer' }],
    ['a Buffer of text', { type: 'Buffer', data: 'YWJj' }],
    ['256', [1, 256]],
    ['-1', [-1]],
    ['a half', [0.5]],
    ['a digit as text', ['1']],
    ['an array in an array', [[1]]],
    ['null among bytes', [1, null]],
  ])('refuses content that is or has %s', async (_, wrong) => {
    expect(await refuse([{ filename: 'a.txt', content: wrong }])).toEqual(
      invalid(/`attachments\[0\]\.content.*base64/),
    );
  });

  it.each<[string, unknown]>([
    ['a slash', '../a.txt'],
    ['a backslash', 'a\\b.txt'],
    ['a line break', 'a\r\nX-Injected: 1'],
    ['a tab', 'a\tb.txt'],
    ['NUL', 'a\0.txt'],
    ['a control character', 'a\u0085.txt'],
    ['a bidi override', 'exe.\u202Etxt'],
    ['a bidi isolate', '\u2066a.txt'],
    ['256 characters', 'a'.repeat(256)],
    ['a number', 7],
    ['an array', ['a.txt']],
  ])('refuses a filename that is or has %s', async (_, filename) => {
    expect(await refuse([{ filename, content }])).toEqual(invalid(/`attachments\[0\]\.filename`/));
  });

  it.each<[string, unknown]>([
    ['no subtype', 'text'],
    ['an empty subtype', 'text/'],
    ['a multipart type', 'multipart/mixed'],
    ['a multipart type in capitals', 'MULTIPART/Alternative; charset=utf-8'],
    ['a parameter twice', 'text/plain; charset=utf-8; charset=utf-7'],
    ['a parameter that is not well-formed', 'text/calendar; method=RE/QUEST'],
    ['a line break in a parameter', "text/plain; title*=utf-8''a%0D%0AX-Injected: 1"],
    ['a line break', 'text/plain\r\nX-Injected: 1'],
    ['rest after it', 'text/plain, text/html'],
    ['a number', 7],
  ])('refuses a content type that is or has %s', async (_, content_type) => {
    expect(await refuse([{ filename: 'a.txt', content, content_type }])).toEqual(
      invalid(/`attachments\[0\]\.content_type`/),
    );
  });

  it.each<[string, unknown]>([
    ['129 characters', 'a'.repeat(129)],
    ['a space', 'a b'],
    ['a lone bracket', '<a@b'],
    ['nothing in its brackets', 'cid:<>'],
    ['a line break', 'a\r\nX-Injected: 1'],
    ['a letter that is not ASCII', 'ä'],
    ['a number', 7],
  ])('refuses a content id that is or has %s', async (_, content_id) => {
    expect(await refuse([{ filename: 'a.png', content, content_id }])).toEqual(
      invalid(/`attachments\[0\]\.content_id`/),
    );
  });

  it.each<[string, unknown, RegExp]>([
    ['an object', { filename: 'a.txt', content }, /`attachments`/],
    ['a string', 'a.txt', /`attachments`/],
    ['a list of strings', ['a.txt'], /`attachments/],
    ['a list of lists', [[{ filename: 'a.txt', content }]], /`attachments/],
    ['a field spelt as in the SDK', [{ fileName: 'a.txt', content }], /Did you mean `attachments\[0\]\.filename`/],
    ['another field', [{ filename: 'a.txt', content, surplus: 1 }], /`attachments\[0\]\.surplus`/],
  ])('refuses %s', async (_, attachments, message) => {
    expect(await refuse(attachments)).toEqual(invalid(message));
  });

  it('sent no refused email', async () => {
    await deliver([]);
    expect(sink.offered).toHaveLength(accepted);
  });
});

/** The parameters of the content type of the last part on the wire, with joined continuations and decoded texts. */
function attachmentParameters({ raw }: SinkMessage): Record<string, string> {
  const head =
    raw
      .toString('latin1')
      .match(/^content-type:.*(?:\r\n[ \t].*)*/gim)
      ?.at(-1) ?? '';
  const found: Record<string, string> = {};
  const parameters = head.replace(/\r\n/g, '').matchAll(/;\s*([^=;\s]+)=("(?:[^"\\]|\\.)*"|[^;\s]+)/g);
  for (const [, written = '', value = ''] of parameters) {
    const [name = '', section = '0'] = written.split('*');
    if (found[name] !== undefined && (!written.includes('*') || section === '0'))
      throw new Error(`${name} is there twice.`);
    const text = value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
    found[name] =
      (found[name] ?? '') + (written.endsWith('*') ? decodeURIComponent(text.replace(/^utf-8''/, '')) : text);
  }
  return found;
}
