import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UNKNOWN } from './signature-check.js';
import { SignatureThread } from './signature-thread.js';

const PROGRAM = new URL('./signature.worker.ts', import.meta.url);
const TYPESCRIPT = new URL('../../../../../../test/support/typescript.mjs', import.meta.url);
const options = { execArgv: ['--import', TYPESCRIPT.href] };

/** Longer than a test. Milliseconds. */
const NEVER = 600_000;

const program = (text: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';\nparentPort.on('message', (task) => { ${text} });`)}`,
  );

describe('SignatureThread', () => {
  let thread: SignatureThread;

  afterEach(() => thread.stop());

  it('verifies in a thread', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signature-thread-'));
    const file = join(folder, 'message.eml');
    writeFileSync(file, 'Subject: x\r\n\r\n');
    thread = new SignatureThread(PROGRAM, options);
    try {
      expect(await thread.run({ file })).toEqual({ status: 'none', signatures: [] });
      writeFileSync(file, 'DKIM-Signature: v=1\r\n\r\n');
      expect(await thread.run({ file })).toEqual({ status: 'fail', signatures: [] });
      expect(await thread.run({ file: join(folder, 'missing.eml') })).toEqual(UNKNOWN);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['never ends', 'for (;;);', 1_000],
    ['never answers', '', 1_000],
    ['throws', "throw new Error('x')", NEVER],
    ['ends the thread', 'process.exit(1)', NEVER],
    ['takes all memory', 'const all = []; for (;;) all.push(new Array(1e5).fill(task));', NEVER],
  ])('gives up a message that %s, and continues', async (_, text, patience) => {
    thread = new SignatureThread(
      program(`if (task.file === 'bad') { ${text} } else parentPort.postMessage({ status: 'pass', signatures: [] });`),
      { resourceLimits: { maxOldGenerationSizeMb: 16 } },
      patience,
    );
    expect(await thread.run({ file: 'bad' })).toBe(UNKNOWN);
    expect(await thread.run({ file: 'good' })).toMatchObject({ status: 'pass' });
  });

  it('prints nothing', async () => {
    thread = new SignatureThread(program("console.log('printed'); parentPort.postMessage({ status: 'none' });"));
    const write = process.stdout.write;
    let printed = '';
    process.stdout.write = ((text: string) => {
      printed += text;
      return true;
    }) as typeof write;
    try {
      await thread.run({ file: 'x' });
    } finally {
      process.stdout.write = write;
    }
    expect(printed).not.toContain('printed');
  });
});
