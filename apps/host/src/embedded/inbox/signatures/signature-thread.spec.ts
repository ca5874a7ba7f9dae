import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UNKNOWN } from './signature-check.js';
import { SignatureThread } from './signature-thread.js';

const PROGRAM = new URL('./signature.worker.ts', import.meta.url);
const TYPESCRIPT = new URL('../../../../../../test/support/typescript.mjs', import.meta.url);
const options = { execArgv: ['--import', TYPESCRIPT.href] };

const program = (text: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';\nparentPort.on('message', (task) => { ${text} });`)}`,
  );

describe('SignatureThread', () => {
  it('verifies in a thread', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signature-thread-'));
    const file = join(folder, 'message.eml');
    writeFileSync(file, 'Subject: x\r\n\r\n');
    const thread = new SignatureThread(PROGRAM, options);
    try {
      expect(await thread.run({ file })).toEqual({ status: 'none', signatures: [] });
      writeFileSync(file, 'DKIM-Signature: v=1\r\n\r\n');
      expect(await thread.run({ file })).toEqual({ status: 'fail', signatures: [] });
      expect(await thread.run({ file: join(folder, 'missing.eml') })).toEqual(UNKNOWN);
    } finally {
      thread.stop();
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['never ends', 'for (;;);'],
    ['never answers', ''],
    ['throws', "throw new Error('x')"],
    ['ends the thread', 'process.exit(1)'],
    ['takes all memory', 'const all = []; for (;;) all.push(new Array(1e5).fill(task));'],
  ])('gives up a message that %s, and continues', async (_, text) => {
    const thread = new SignatureThread(
      program(`if (task.file === 'bad') { ${text} } else parentPort.postMessage({ status: 'pass', signatures: [] });`),
      { resourceLimits: { maxOldGenerationSizeMb: 16 } },
      2_000,
    );
    try {
      expect(await thread.run({ file: 'bad' })).toBe(UNKNOWN);
      expect(await thread.run({ file: 'good' })).toMatchObject({ status: 'pass' });
    } finally {
      thread.stop();
    }
  });

  it('prints nothing', async () => {
    const thread = new SignatureThread(program("console.log('printed'); parentPort.postMessage({ status: 'none' });"));
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
      thread.stop();
    }
    expect(printed).not.toContain('printed');
  });
});
