import type { Edit, Threat } from '../guard.js';

const FRAME = 'frame-document.ts';
const FRAME_TESTS = 'frame-document.spec.ts';
const IN_PLACE = 'gives html no origin, no scripts and no forms, and confines it to its frame';
const GOES_WITH = 'has its confining headers, regardless of those of the host';
const FRAMES = 'frames.part.ts';
const FRAMES_HTTP = 'dashboard-frames.once.e2e-spec.ts';
const IMAGES = 'inline-images.ts';
const IMAGES_TESTS = 'inline-images.spec.ts';
const INBOX = 'inbox.part.ts';
const INBOX_TESTS = 'inbox.part.spec.ts';
const NOT_SHOWN = 'serves no file with its declared type: %s';
const NAMES = 'inbox/file-name.ts';
const NAMES_TESTS = 'inbox/file-name.spec.ts';
const ONLY_A_NAME = 'reduces %j to a plain name';
const PARSER = 'message-parser.ts';
const PARSER_TESTS = 'message-parser.spec.ts';
const THREAD = 'parse.worker.ts';
const THREAD_TESTS = 'parse.worker.spec.ts';
const NO_MORE = 'limits mailboxes, headers, files and text';

const without = (file: string, text: string): Edit => [file, text, ''];

export const shown: Threat = {
  title: 'Html, files and messages of strangers in the page',
  guards: [
    {
      guard: 'scripts of html, and an origin for it',
      suite: FRAME_TESTS,
      test: IN_PLACE,
      edits: [without(FRAME, "    'sandbox allow-popups allow-popups-to-escape-sandbox',\n")],
    },
    {
      guard: 'whatever html would load',
      suite: FRAME_TESTS,
      test: IN_PLACE,
      edits: [without(FRAME, '    "default-src \'none\'",\n')],
    },
    {
      guard: 'images from elsewhere that nobody asked for',
      suite: FRAME_TESTS,
      test: 'loads remote images on request, and nothing else',
      edits: [[FRAME, "${withImages ? ' http: https:' : ''}", ' http: https:']],
    },
    {
      guard: 'forms of html',
      suite: FRAME_TESTS,
      test: IN_PLACE,
      edits: [without(FRAME, '    "form-action \'none\'",\n')],
    },
    {
      guard: 'addresses of html that are meant of this host',
      suite: FRAME_TESTS,
      test: IN_PLACE,
      edits: [without(FRAME, '    "base-uri \'none\'",\n')],
    },
    {
      guard: 'html in frames of other pages',
      suite: FRAME_TESTS,
      test: IN_PLACE,
      edits: [without(FRAME, '    "frame-ancestors \'self\'",\n')],
    },
    {
      guard: 'the address of a frame, sent to the targets of its links',
      suite: FRAME_TESTS,
      test: GOES_WITH,
      edits: [without(FRAME, "  response.setHeader('referrer-policy', 'no-referrer');\n")],
    },
    {
      guard: 'caches that keep html',
      suite: FRAME_TESTS,
      test: GOES_WITH,
      edits: [without(FRAME, "  response.setHeader('cache-control', 'no-store');\n")],
    },
    {
      guard: 'text that is taken for markup',
      suite: FRAME_TESTS,
      test: 'shows markup as text',
      edits: [without(FRAME, ".replaceAll('<', '&lt;')")],
    },
    {
      guard: 'frames for who is not signed in',
      suite: FRAMES_HTTP,
      test: 'are for signed-in visitors',
      edits: [
        [
          FRAMES,
          "await this.visitors.admitFrame(request, response, what === 'topics' ? 'viewer' : 'support');",
          "{ accountId: 'acme', permission: 'full_access' } as Caller;",
        ],
      ],
    },
    {
      guard: 'messages of the inbox in frames for callers from elsewhere',
      suite: FRAMES_HTTP,
      test: 'show nothing of the inbox to other machines: %j',
      edits: [without(FRAMES, ' || (inbox.onlyThisMachine && !isFromThisMachine(request))')],
    },
    {
      guard: 'files that pass for images',
      suite: IMAGES_TESTS,
      test: 'are no %j',
      edits: [[IMAGES, 'IMAGE.test(contentType)', 'contentType !== null']],
    },
    {
      guard: 'images that are shown without end',
      suite: IMAGES_TESTS,
      test: 'stop at the limit',
      edits: [[IMAGES, 'length <= room', 'length < Number.POSITIVE_INFINITY']],
    },
    {
      guard: 'the inbox of the page for callers from elsewhere',
      suite: INBOX_TESTS,
      test: 'is hidden from other machines if it is for this machine alone',
      edits: [
        without(INBOX, 'if (this.inbox.onlyThisMachine && !isFromThisMachine(request)) throw ApiError.notFound();'),
      ],
    },
    {
      guard: 'the inbox read with a cookie alone',
      suite: INBOX_TESTS,
      test: 'downloads files with a cookie alone, and reads and removes nothing',
      edits: [[INBOX, "this.visitors[isFile ? 'admitFrame' : 'admit']", 'this.visitors.admitFrame']],
    },
    {
      guard: 'messages removed with a cookie alone',
      suite: INBOX_TESTS,
      test: 'downloads files with a cookie alone, and reads and removes nothing',
      edits: [[INBOX, "method === 'GET' &&\n      (what", '(what']],
    },
    {
      guard: 'files of messages as what they say that they are',
      suite: INBOX_TESTS,
      test: NOT_SHOWN,
      edits: [[INBOX, "'application/octet-stream'", "'text/html'"]],
    },
    {
      guard: 'files of messages that are shown in place of being saved',
      suite: INBOX_TESTS,
      test: NOT_SHOWN,
      edits: [
        without(
          INBOX,
          "response.setHeader('content-disposition', disposition(part.filename ?? `attachment-${index}`));",
        ),
      ],
    },
    {
      guard: 'files of messages that run',
      suite: INBOX_TESTS,
      test: NOT_SHOWN,
      edits: [
        without(
          INBOX,
          "  response.setHeader('content-security-policy', \"default-src 'none'; sandbox; frame-ancestors 'none'\");\n",
        ),
      ],
    },
    {
      guard: 'types of files that a browser guesses',
      suite: INBOX_TESTS,
      test: NOT_SHOWN,
      edits: [without(INBOX, "  response.setHeader('x-content-type-options', 'nosniff');\n")],
    },
    {
      guard: 'names of files that end a header',
      suite: NAMES_TESTS,
      test: ONLY_A_NAME,
      edits: [[NAMES, 'filename="${name.replace(NOT_PLAIN, \'_\')}"', 'filename="${name}"']],
    },
    {
      guard: 'ends of lines in names of files',
      suite: NAMES_TESTS,
      test: ONLY_A_NAME,
      edits: [without(NAMES, '\\p{Cc}\\p{Zl}\\p{Zp}')],
    },
    {
      guard: 'names of files that are written from right to left',
      suite: NAMES_TESTS,
      test: ONLY_A_NAME,
      edits: [without(NAMES, '\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069')],
    },
    {
      guard: 'folders in names of files',
      suite: NAMES_TESTS,
      test: ONLY_A_NAME,
      edits: [[NAMES, '\\u2066-\\u2069/\\\\]', '\\u2066-\\u2069]']],
    },
    {
      guard: 'names of files without end',
      suite: NAMES_TESTS,
      test: 'is bounded',
      edits: [without(NAMES, '.slice(0, LONGEST)')],
    },
    {
      guard: 'messages that take for ever to be taken apart',
      suite: PARSER_TESTS,
      test: 'stops a thread that hangs',
      edits: [[PARSER, 'setTimeout(() => void worker.terminate(), PATIENCE)', 'undefined']],
    },
    {
      guard: 'messages that take all memory when they are taken apart',
      suite: PARSER_TESTS,
      test: 'limits the memory of a thread',
      edits: [without(PARSER, '    resourceLimits: { maxOldGenerationSizeMb: MEMORY },\n')],
    },
    {
      guard: 'messages of more than 64 MB, unread',
      suite: PARSER_TESTS,
      test: 'does not read too large a message',
      edits: [[PARSER, 'if (kept.size > LARGEST) {', 'if (kept.size < 0) {']],
    },
    {
      guard: 'several messages taken apart at once',
      suite: PARSER_TESTS,
      test: 'parses one message at a time',
      edits: [[PARSER, 'this.turn.then(() => this.find(id))', 'this.find(id)']],
    },
    {
      guard: 'messages with more files than can be shown',
      suite: THREAD_TESTS,
      test: NO_MORE,
      edits: [without(THREAD, '.slice(0, PARTS)')],
    },
    {
      guard: 'messages with more headers than can be shown',
      suite: THREAD_TESTS,
      test: NO_MORE,
      edits: [without(THREAD, '.slice(0, HEADERS)')],
    },
    {
      guard: 'messages with more mailboxes than can be shown',
      suite: THREAD_TESTS,
      test: NO_MORE,
      edits: [without(THREAD, '.slice(0, MAILBOXES)')],
    },
    {
      guard: 'messages with more text than can be shown',
      suite: THREAD_TESTS,
      test: NO_MORE,
      edits: [[THREAD, 'message.text?.slice(0, TEXT_LENGTH)', 'message.text']],
    },
    {
      guard: 'messages with more html than can be shown',
      suite: THREAD_TESTS,
      test: NO_MORE,
      edits: [[THREAD, 'html: message.html?.slice(0, TEXT_LENGTH)', 'html: message.html']],
    },
    {
      guard: 'mailboxes and names of files that go on for ever',
      suite: THREAD_TESTS,
      test: 'limits the length of mailboxes and file names',
      edits: [without(THREAD, '.slice(0, HEADER_LENGTH)')],
    },
    {
      guard: 'messages within messages without end',
      suite: THREAD_TESTS,
      test: 'is refused with endless nesting',
      edits: [without(THREAD, '  maxNestingDepth: NESTING,\n')],
    },
    {
      guard: 'names in the page that are written from right to left',
      suite: 'plain-name.spec.ts',
      test: 'shows %j as %j',
      edits: [without('plain-name.ts', '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069')],
    },
    {
      guard: 'values that a shell would run, in commands to copy',
      suite: 'curl.spec.ts',
      test: 'writes a body on one line, quoted for a shell',
      edits: [without('curl.ts', ".replaceAll(\"'\", `'\\\\''`)")],
    },
  ],
};
