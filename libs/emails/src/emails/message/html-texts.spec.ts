import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { htmlToText } from './html-text.js';
import { HtmlTexts } from './html-texts.js';

const PROGRAM = new URL('./html-text.worker.ts', import.meta.url);
const TYPESCRIPT = new URL('../../../../../test/support/typescript.mjs', import.meta.url);
const options = { execArgv: ['--import', TYPESCRIPT.href] };
const large = (word: string, lines = 1_000) =>
  `<p>Some <b>${word}</b> and <a href="https://a.test/">a link</a></p>\n`.repeat(lines);

describe('HtmlTexts', () => {
  it('converts short html at once, and large html the same way in a thread', async () => {
    const texts = new HtmlTexts(PROGRAM, options);
    expect(texts.of('account', '<p>Hello <b>you</b></p>')).toBe('Hello you');
    const text = texts.of('account', large('words'));
    expect(text).toBeInstanceOf(Promise);
    expect(await text).toBe(htmlToText(large('words')));
  });

  it('converts short html with many tags in the thread: nested tags take long', async () => {
    const html = `${'<blockquote>'.repeat(50)}${'<hr>'.repeat(251)}`;
    const texts = new HtmlTexts(PROGRAM, options);
    expect(texts.of('account', html.slice(0, -'<hr>'.length))).toEqual(expect.any(String));
    expect(await texts.of('account', html)).toBe(htmlToText(html));
  });

  it('converts much short html in several turns of the event loop', async () => {
    const html = `${'<blockquote>'.repeat(50)}${'<hr>'.repeat(200)}`;
    const texts = new HtmlTexts();
    const made = Array.from({ length: 50 }, () => texts.of('account', html));
    expect(made[0]).toBe(htmlToText(html));
    expect(made.at(-1)).toBeInstanceOf(Promise);
    expect(new Set(await Promise.all(made))).toEqual(new Set([htmlToText(html)]));
  });

  it('lets owners take turns', async () => {
    const texts = new HtmlTexts(PROGRAM, options);
    const ended: string[] = [];
    const asked = ['one', 'one', 'one', 'two'].map(async (owner, index) => {
      await texts.of(owner, large(`${index}`));
      ended.push(owner);
    });
    await Promise.all(asked);
    expect(ended).toEqual(['one', 'one', 'two', 'one']);
  });

  it('fails for the html that ends its thread, and for no other', async () => {
    const deadly = `data:text/javascript,${encodeURIComponent(
      "import { parentPort } from 'node:worker_threads';" +
        "parentPort.on('message', (html) => html.startsWith('die') ? process.exit(1) : parentPort.postMessage({ result: 'done' }));" +
        'parentPort.postMessage({});',
    )}`;
    const texts = new HtmlTexts(new URL(deadly));
    expect(await texts.of('one', large('a'))).toBe('done');
    const converted = await Promise.allSettled([texts.of('one', `die${large('a')}`), texts.of('two', large('b'))]);
    expect(converted).toEqual([
      { status: 'rejected', reason: new Error('The thread ended.') },
      { status: 'fulfilled', value: 'done' },
    ]);
  });

  it('is empty for html that exceeds a limit of its thread: it would do so at each attempt', async () => {
    const hungry = `data:text/javascript,${encodeURIComponent(
      "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => { for (const all = []; ; all.push([0, 0])); }); parentPort.postMessage({});",
    )}`;
    const texts = new HtmlTexts(new URL(hungry), { resourceLimits: { maxOldGenerationSizeMb: 16 } });
    expect(await texts.of('account', large('a'))).toBe('');
  });

  it('converts the beginning of large html in the event loop where no thread can be started', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValueOnce();
    const texts = new HtmlTexts(new URL('file:///nowhere/html-text.worker.js'));
    const converted = await Promise.all(['one', 'two'].map((owner) => texts.of(owner, large(owner))));
    expect(converted).toEqual(['one', 'two'].map((owner) => htmlToText(large(owner, 50))));
    expect(texts.of('three', large('three'))).toBe(htmlToText(large('three', 50)));
  });
});
