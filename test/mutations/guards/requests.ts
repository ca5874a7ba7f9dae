import type { Threat } from '../guard.js';

const BUDGET = 'byte-budget.ts';
const CONNECTIONS = 'hostile-connections.once.e2e-spec.ts';
const ERRORS = 'errors.once.e2e-spec.ts';
const RULES = 'json-rules.ts';

export const requests: Threat = {
  title: 'Requests that crash or exhaust',
  guards: [
    {
      guard: 'more than 32 levels or 20,000 values of JSON, before it is parsed',
      suite: 'json-reader.spec.ts',
      test: 'refuses too deep nesting and too many values before parsing',
      edits: [['json-scanner.ts', 'if (++this.values > this.kind.maxValues)', 'if (++this.values < 0)']],
    },
    {
      guard: 'nesting, again in what was parsed',
      suite: 'json-rules.spec.ts',
      test: 'accepts 32 levels and refuses the 33rd, at any further depth',
      edits: [[RULES, 'if (depth >= MAX_DEPTH)', 'if (depth < 0)']],
    },
    {
      guard: 'NUL and halves of surrogate pairs',
      suite: 'json-rules.spec.ts',
      test: 'refuses %s, and names its position',
      edits: [[RULES, "if (text.includes('\\0') || !isWellFormed(text))", 'if (path === text)']],
    },
    {
      guard: 'keys named `__proto__`',
      suite: 'json-rules.spec.ts',
      test: 'refuses __proto__ as a key at any depth',
      edits: [[RULES, "if (key === '__proto__')", "if (key === 'never')"]],
    },
    {
      guard: 'invalid UTF-8',
      suite: 'json-reader.spec.ts',
      test: 'refuses invalid UTF-8 %s',
      edits: [['json-reader.ts', 'fatal: true', 'fatal: false']],
    },
    {
      guard: 'compressed bodies',
      suite: ERRORS,
      test: 'that is compressed is refused',
      edits: [['json-body.reader.ts', " || encoding !== 'identity'", " || encoding === ''"]],
    },
    {
      guard: 'bodies over the limit, announced',
      suite: ERRORS,
      test: 'over the limit is refused by its announced length, unread',
      edits: [['json-body.reader.ts', 'if (wire > this.limits.wire)', 'if (wire < 0)']],
    },
    {
      guard: 'bodies over the limit, not announced',
      suite: ERRORS,
      test: 'over the limit is refused without an announced length',
      edits: [['body-bytes.ts', 'if (bytes > kept)', 'if (bytes < 0)']],
    },
    {
      guard: 'bodies over the limit at the page',
      suite: 'visit-body.spec.ts',
      test: 'refuses too long a body, and keeps the connection for the answer',
      edits: [['visit-body.ts', 'if (size > limit) throw ApiError.tooLarge(limit);', '']],
    },
    {
      guard: 'bodies of which little is kept, and that have no end',
      suite: 'body-bytes.spec.ts',
      test: 'is refused above the limit of received bytes, even if few are kept',
      edits: [['body-bytes.ts', 'if (come > wire)', 'if (come < 0)']],
    },
    {
      guard: 'files in numbers that take more memory than they hold',
      suite: 'json-reader.spec.ts',
      test: 'keeps only the bytes of a file in numbers',
      edits: [['byte-array.ts', 'this.at === this.body.size', 'this.at < 0']],
    },
    {
      guard: 'blanks that are sent to keep memory from others',
      suite: 'byte-budget.spec.ts',
      test: 'does not treat a sender of bytes without room as slow, unless another has waited for ten seconds',
      edits: [
        [
          'byte-share.ts',
          'advance(bytes: number): void {',
          'advance(bytes: number): void {this.briskPace?.advance(bytes);',
        ],
      ],
    },
    {
      guard: 'large bodies in memory at the same time',
      suite: 'byte-budget.spec.ts',
      test: 'admits requests that fit, and the rest in order as bytes are released',
      edits: [[BUDGET, 'canEnd(shares, this.total - this.used - bytes)', 'canEnd(shares, Infinity)']],
    },
    {
      guard: 'large requests and answers of all kinds at the same time, in a small heap',
      suite: 'hostile-answers.once.e2e-spec.ts',
      test: 'survives unread answers of all kinds while emails and batches arrive',
      edits: [[BUDGET, 'this.total = heapShare(total);', 'this.total = total;']],
    },
    {
      guard: 'large bodies that all hold a part and wait for more',
      suite: 'byte-budget.spec.ts',
      test: 'reserves room for one to finish when several have started',
      edits: [[BUDGET, 'if (wanted > left) return false;', '']],
    },
    {
      guard: 'large bodies that hold memory and do not come',
      suite: 'byte-budget.spec.ts',
      test: 'cuts off only a request that stalls for five seconds while others wait',
      edits: [[BUDGET, 'if (share.isSlow && isAwaited(share)) share.cutOff();', '']],
    },
    {
      guard: 'bodies that announce much, or do not say how much, and keep others out',
      suite: 'request-memory.spec.ts',
      test: 'counts the received part of an announced length',
      edits: [['request-memory.ts', 'Math.max(bytes, this.room + Math.min(this.room, LARGE))', 'final']],
    },
    {
      guard: 'bodies of unknown length that grow at the same time',
      suite: 'request-memory.spec.ts',
      test: 'admits several requests of unknown length at the same time',
      edits: [['request-memory.ts', '[LARGE, 34_000_000]', '[LARGE]']],
    },
    {
      guard: 'bodies that come to more than they might, and stop others who said so',
      suite: 'request-memory.spec.ts',
      test: 'makes a request above its claim give way to one within its claim that could not finish',
      edits: [[BUDGET, 'this.breakDeadlock();', '']],
    },
    {
      guard: 'bodies that come as slowly as they may, and keep others waiting',
      suite: 'byte-budget.spec.ts',
      test: 'makes slow requests give way to one that has waited for ten seconds, the largest first',
      edits: [[BUDGET, 'this.evictLargest(waiting);', '']],
    },
    {
      guard: 'many answers that are read slowly, to have a quicker one cut off',
      suite: 'byte-budget.spec.ts',
      test: 'makes the slowest of those that hold as much give way first, and none that is quick',
      edits: [[BUDGET, ' || b.lag - a.lag', '']],
    },
    {
      guard: 'bodies of less than 1 MB that come slowly, in great number',
      suite: CONNECTIONS,
      test: 'may be many, silent, and halfway through a body, while others are served',
      edits: [['request-memory.ts', 'if (bytes <= this.room)', 'if (bytes <= LARGE)']],
    },
    {
      guard: 'large bodies of one account that keep all others out',
      suite: 'byte-budget.spec.ts',
      test: 'delays only an owner that holds half of it already',
      edits: [[BUDGET, 'held + bytes <= this.total / 2', 'held >= 0']],
    },
    {
      guard: 'large files that keep the event loop to themselves',
      suite: 'slices.spec.ts',
      test: 'has one slice in each turn of the event loop, next to any other work',
      edits: [['slices.ts', 'await nextTurn();', '']],
    },
    {
      guard: 'clients that leave, and take the memory of content that is still being made',
      suite: 'large-answers.spec.ts',
      test: 'keeps the memory of content that is being made, and takes its time for no pause of the client',
      edits: [
        [
          'large-answers.ts',
          'const content = await make();',
          "response.once('close', () => share.close());\n      const content = await make();",
        ],
      ],
    },
    {
      guard: 'answers that others ask for, to have those that are read at a fair pace cut off',
      suite: 'send-pieces.spec.ts',
      test: 'never cuts off a CSV file whose client keeps the slowest pace while others wait',
      edits: [['send-pieces.ts', 'share.proceed(part.length);', '']],
    },
    {
      guard: 'answers that nobody reads',
      suite: 'send-pieces.spec.ts',
      test: 'cuts off a client that stalls for five seconds while others wait, from the first piece on',
      edits: [['send-pieces.ts', 'share.follow(() => response.destroy());', 'share.pause();']],
    },
    {
      guard: 'requests of an account that wait for its own half, to have others cut off',
      suite: 'byte-budget.spec.ts',
      test: 'cuts off no slow request of others for one that waits for its own half',
      edits: [[BUDGET, 'waiter.share.owner === owner || this.isStopped(waiter)', 'waiter']],
    },
    {
      guard: 'clients that leave while they wait for a large answer',
      suite: 'large-answers.spec.ts',
      test: 'refuses a client that left while it waited, and keeps no memory for it',
      edits: [['large-answers.ts', 'if (response.closed) {', 'if (response.destroyed && false) {']],
    },
    {
      guard: 'emails that take long to build, and are read each time they are put off',
      suite: 'delivery.service.spec.ts',
      test: 'puts off an email of an account that has too many of them, unread, in its former state, and no other email',
      edits: [['delivery-run.ts', 'if (this.cost === 0)', 'await this.whole();\n    if (this.cost === 0)']],
    },
    {
      guard: 'emails with corrupt headers, leased again and again',
      suite: 'delivery.service.spec.ts',
      test: 'records that the message of an email with corrupt headers could not be made',
      edits: [['delivery-run.ts', 'this.knownCost = 0;', "throw new Error('corrupt');"]],
    },
    {
      guard: 'emails that take long to build, all of one account at once',
      suite: 'costly-emails.spec.ts',
      test: 'admits a quarter of one account, and others until half are admitted',
      edits: [['costly-emails.ts', ' && emails < this.most / 4', '']],
    },
    {
      guard: 'large emails of one account that keep those of all others waiting',
      suite: 'content-room.spec.ts',
      test: 'gives others room at once: %d emails of %d MB, each sent in %d s',
      edits: [['fair-bytes.ts', 'sum += Math.min(bytes, this.half)', 'sum += bytes']],
    },
    {
      guard: 'large emails of one account that take each room that becomes free',
      suite: 'fair-bytes.spec.ts',
      test: 'gives each owner at most half while others hold bytes or wait, and everything afterwards',
      edits: [['fair-bytes.ts', 'this.isShared() ? this.half : this.limit', 'this.limit']],
    },
    {
      guard: 'large emails of a few accounts that keep those of others waiting',
      suite: 'content-rooms.spec.ts',
      test: 'serves others while %d accounts always have emails of %d MB waiting',
      edits: [['fair-bytes.ts', 'if (keepsTurn && this.keepsTurn(waiter)) {', 'if (keepsTurn && bytes < 0) {']],
    },
    {
      guard: 'very large emails of several accounts that keep ordinary ones waiting',
      suite: 'content-rooms.spec.ts',
      test: 'has room for ordinary large emails while accounts fill it with emails of %d MB',
      edits: [['content-rooms.ts', 'bytes > ORDINARY ? this.larger : this.ordinary', 'this.ordinary']],
    },
    {
      guard: 'bodies of unknown callers: no parser in front of the guards',
      suite: 'body-parser.check.spec.ts',
      test: 'refuses to start behind the global parser, and says how to fix it',
      edits: [['body-parser.check.ts', 'if (!app || parsers.length === 0) return;', 'return;']],
    },
    {
      guard: 'slow heads, slow bodies, idle and too many connections',
      suite: 'configure-http.spec.ts',
      test: 'limits connections by the contract',
      edits: [['configure-http.ts', 'server.requestTimeout = HTTP_LIMITS.requestTime.max;', '']],
    },
    {
      guard: 'what is no HTTP, answered in the shape of all errors',
      suite: CONNECTIONS,
      test: 'with %s are refused in the shape of the contract',
      edits: [['configure-http.ts', 'refuseMalformedRequests(server);', '']],
    },
    {
      guard: 'lists that are checked before they are counted',
      suite: CONNECTIONS,
      test: 'with megabytes of %s are answered in a moment',
      edits: [['field.ts', ' || value.length > max', '']],
    },
    {
      guard: 'templates that grow without end',
      suite: 'template-renderer.spec.ts',
      test: 'bounds its size',
      edits: [['template-renderer.ts', ' > MAX_LENGTH)', ' < 0)']],
    },
    {
      guard: 'small requests that templates make large',
      suite: 'request-templates.spec.ts',
      test: 'bounds the memory in use, and lets the others wait',
      edits: [['request-templates.ts', 'await this.ground.memory.makeRoom(needed, needed);', '']],
    },
    {
      guard: 'batches that templates make larger than a request may be',
      suite: 'request-templates.spec.ts',
      test: 'refuses the emails with which a request exceeds its limit',
      edits: [
        [
          'request-templates.ts',
          'if (this.weight + this.bytes + filled.bytes > MAX_OF_REQUEST) throw overLimit();',
          '',
        ],
      ],
    },
    {
      guard: 'templates that are taken apart, and kept, in great number',
      suite: 'template-texts.spec.ts',
      test: 'keeps the most recently used texts, up to a limit in bytes',
      edits: [['template-texts.ts', 'if (this.weight <= this.limit) break;', 'break;']],
    },
    {
      guard: 'long templates that keep the event loop to themselves',
      suite: 'template-renderer.spec.ts',
      test: 'renders 140,000 placeholders in slices',
      edits: [
        ['text/template-text.ts', 'if (length < SLICE && pieces.length < FILLED) continue;', 'if (end > 0) continue;'],
      ],
    },
    {
      guard: 'html that takes its reader long',
      suite: 'html-text.spec.ts',
      test: 'reads 20,000 tags, and no text after them',
      edits: [
        ['html-text.ts', "const end = Math.min(endOf(beginning, '<', tags),", 'const end = Math.min(beginning.length,'],
      ],
    },
    {
      guard: 'long html that takes its reader long',
      suite: 'html-text.spec.ts',
      test: 'reads 500,000 characters, and no text after them',
      edits: [['html-text.ts', 'html.slice(0, length)', 'html']],
    },
    {
      guard: 'html whose nested elements multiply the time of its reader',
      suite: 'html-text.spec.ts',
      test: 'shows the outer one of nested links: html allows no link in a link',
      edits: [['html-nesting.ts', 'levelOf(element, elements) > levels', 'levelOf(element, elements) > 10']],
    },
    {
      guard: 'long html in the event loop, where no thread can be started',
      suite: 'html-texts.spec.ts',
      test: 'converts the beginning of large html in the event loop where no thread can be started',
      edits: [['html-texts.ts', 'htmlToText(html, SHORT)', 'htmlToText(html)']],
    },
    {
      guard: 'html that takes the time of its thread at each attempt',
      suite: 'html-texts.spec.ts',
      test: 'is empty for html that exceeds a limit of its thread: it would do so at each attempt',
      edits: [['html-texts.ts', "if (error instanceof ThreadLimitError) return '';", '']],
    },
    {
      guard: 'html and headers that take long, and delay the emails of other accounts',
      suite: 'delivery.service.spec.ts',
      test: 'puts off an email of an account that has too many of them, unread, in its former state, and no other email',
      edits: [['delivery-run.ts', 'if (this.cost === 0) return', 'if (this.cost >= 0) return']],
    },
    {
      guard: 'messages of many headers that keep the event loop to themselves',
      suite: 'message-builder.spec.ts',
      test: 'composes those of several messages in turns of their own',
      edits: [
        [
          'message-builder.ts',
          'hasLargeHead(email) ? await this.heads.acquire(email.accountId) : undefined',
          'undefined',
        ],
      ],
    },
  ],
};
