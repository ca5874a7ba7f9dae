import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterFile } from '../support/basics/cleanup.js';
import { makeTempFolder } from '../support/basics/temp-folder.mjs';
import { tie } from '../support/basics/tied-children.mjs';
import { until } from '../support/basics/wait-for.js';
import { HostProcess } from '../support/hosts/host-process.js';
import { processesOf } from '../support/reading/processes.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = 'Before.\n\n<!-- verify:start -->\n\n<!-- verify:end -->\n\nAfter.\n';

/** Runs the parts that `parts.json` describes, with the code that runs ours. */
const PROGRAM = `
import { readFileSync } from 'node:fs';
import { verify } from '${new URL('../verify/verify.ts', import.meta.url)}';
const parts = JSON.parse(readFileSync('parts.json', 'utf8'));
process.exit(await verify({ root: import.meta.dirname, parts, args: process.argv.slice(2) }));
`;

/** `one` passes, `two` fails until the file `mended` is there, `three` passes. */
const PARTS = [
  {
    name: 'one',
    proves: 'that it runs',
    inputs: ['one', 'both.txt'],
    commands: [['node', '-e', 'console.log("said")']],
  },
  { name: 'two', proves: 'that it fails', inputs: ['two'], commands: [['test', '-e', 'mended']] },
  { name: 'three', proves: 'that others run', inputs: ['three'], commands: [['true'], ['true']] },
].map((part) => ({ ...part, limit: 5 }));

/** A git repository with separate parts, and its verification. */
class Repository {
  readonly folder = makeTempFolder('emails-test-verify-');

  constructor(parts: readonly unknown[] = PARTS) {
    afterFile(() => rmSync(this.folder, { recursive: true, force: true }));
    const inputs = { 'one/a.ts': '1', 'one/readme.md': '1', 'both.txt': '1', 'two/a.ts': '2', 'three/a.ts': '3' };
    const files = { ...inputs, '.gitignore': '.verify/\nmended\n', 'docs/faults.md': PAGE, 'verify.mjs': PROGRAM };
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.write('parts.json', JSON.stringify(parts));
    this.git('init', '--quiet');
    this.commit();
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  commit(): void {
    this.git('add', '--all');
    this.git('-c', 'user.name=A', '-c', 'user.email=a@b.test', 'commit', '--quiet', '--message', 'Change');
  }

  /** Cells of the rows, by part. */
  rows(): Record<string, string[]> {
    const rows = this.read('docs/faults.md').match(/^\| (?!part |---).*/gm) ?? [];
    const cells = rows.map((row) => row.slice(2, -2).split(' | '));
    return Object.fromEntries(cells.map(([name = '', ...others]) => [name, others]));
  }

  start(...args: string[]): HostProcess {
    const command = ['--import', join(ROOT, 'test/support/typescript.mjs'), 'verify.mjs', ...args];
    const child: ChildProcess = spawn(process.execPath, command, {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new HostProcess(tie(child));
  }

  async verify(...args: string[]): Promise<{ code: number | null; output: string }> {
    const started = this.start(...args);
    return { code: await started.exited, output: started.output };
  }

  head(): string {
    return this.git('rev-parse', '--short', 'HEAD').trim();
  }

  private git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8' });
  }
}

describe('npm run verify', () => {
  it('records each part that passed, and leaves others to fail', async () => {
    const repository = new Repository();
    const { code, output } = await repository.verify();
    expect(code).toBe(1);
    expect(output).toMatch(/^two: FAILED, exit code 1, after .* see \.verify\/two\.log$/m);
    const row = (proves: string) => [
      proves,
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      repository.head(),
      expect.stringMatching(/^\d+\.\d$/),
      expect.stringMatching(/^[0-9a-f]{12}$/),
    ];
    expect(repository.rows()).toEqual({ one: row('that it runs'), three: row('that others run') });
    expect(repository.read('.verify/one.log')).toBe('said\n');
    expect(repository.read('docs/faults.md')).toMatch(/^Before\.\n.*\nAfter\.\n$/s);
  });

  it('skips what is unchanged since it passed, and runs it again when an input changed', async () => {
    const repository = new Repository();
    repository.write('mended', '');
    expect((await repository.verify()).code).toBe(0);
    const passed = repository.rows();

    const second = await repository.verify();
    expect(second.code).toBe(0);
    expect(second.output).not.toContain('begins');

    repository.write('one/new.ts', '1');
    repository.write('three/a.ts', 'changed');
    repository.write('one/readme.md', 'changed');
    repository.commit();
    const third = await repository.verify('three', 'two');
    expect(third.output.match(/^.*(?=: begins)/gm)).toEqual(['three']);
    expect(repository.rows()).toEqual({ ...passed, three: expect.not.arrayContaining(passed.three!.slice(-1)) });
    expect((await repository.verify('--list')).output).toMatch(
      /^one: its inputs changed since .*\n {2}that it runs\ntwo: unchanged since .*\n.*\nthree: unchanged since/,
    );

    const again = await repository.verify('two', '--again');
    expect(again.output).toContain('two: begins');
  });

  it('does not treat pages as inputs, and records the commit and uncommitted files', async () => {
    const repository = new Repository();
    await repository.verify('one');
    repository.write('one/readme.md', 'changed');
    expect((await repository.verify('one')).output).not.toContain('begins');
    repository.write('both.txt', 'changed');
    await repository.verify('one', 'three');
    expect(repository.rows()).toMatchObject({
      one: [expect.anything(), expect.anything(), `${repository.head()}+`, expect.anything(), expect.anything()],
      three: [expect.anything(), expect.anything(), repository.head(), expect.anything(), expect.anything()],
    });
  });

  it('keeps the row of a part that fails later', async () => {
    const repository = new Repository();
    repository.write('mended', '');
    await repository.verify();
    const passed = repository.rows();
    rmSync(join(repository.folder, 'mended'));
    expect((await repository.verify('two', '--again')).code).toBe(1);
    expect(repository.rows()).toEqual(passed);
  });

  it('fails a part whose inputs change while it runs', async () => {
    const edits = { name: 'edits', proves: 'nothing', inputs: ['one'], limit: 5, commands: [['rm', 'one/a.ts']] };
    const repository = new Repository([edits]);
    const { code, output } = await repository.verify();
    expect(code).toBe(1);
    expect(output).toContain('edits: FAILED, its inputs changed while it ran');
    expect(repository.rows()).toEqual({});
  });

  it('refuses an unknown part, and names the existing ones', async () => {
    const { code, output } = await new Repository().verify('one', 'four');
    expect({ code, output }).toEqual({ code: 2, output: 'There is no part four. The parts: one, two, three.\n' });
  });

  it('aborts a part at its limit', async () => {
    const endless = { name: 'endless', proves: 'nothing', inputs: ['one'], limit: 0.01, commands: [['sleep', '600']] };
    const repository = new Repository([endless]);
    const { code, output } = await repository.verify();
    expect(code).toBe(1);
    expect(output).toContain('endless: FAILED, not over after 0.01 minutes');
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('ends all processes of a part at %s, and continues after the passed ones', async (signal, exitCode) => {
    const [one, two, three] = PARTS;
    // The second process ignores signals, and is found by the path in its command line.
    const endless = `trap '' TERM INT; sleep 600`;
    const slow = { ...two, commands: [['sh', '-c', `sh -c "${endless}; : $PWD" & wait`]] };
    const repository = new Repository([one, slow, three]);
    const inside = () => [...processesOf(repository.folder).values()].filter((line) => line.includes('sleep 600'));
    const verify = repository.start();
    await until(() => !verify.running || inside().some((line) => line.startsWith('sleep')), {
      what: 'a part under way',
    });
    expect(await verify.stop(signal)).toBe(exitCode);
    await until(() => inside().length === 0, { what: 'the end of all processes of the part' });
    expect(Object.keys(repository.rows())).toEqual(['one']);

    repository.write('parts.json', JSON.stringify(PARTS));
    repository.write('mended', '');
    const { code, output } = await repository.verify();
    expect(code).toBe(0);
    expect(output.match(/^.*(?=: begins)/gm)).toEqual(['two', 'three']);
  });

  it('ends all processes of a part when it is killed, and prevents a second run before', async () => {
    const slow = { ...PARTS[0], commands: [['sh', '-c', 'sh -c "sleep 600; : $PWD" & wait']] };
    const repository = new Repository([slow]);
    const inside = () => [...processesOf(repository.folder).values()].filter((line) => line.includes('sleep 600'));
    const verify = repository.start();
    await until(() => !verify.running || inside().length > 0, { what: 'a part under way' });
    const second = await repository.verify();
    expect(second).toEqual({ code: 2, output: expect.stringMatching(/^Process \d+ runs this already\./) });
    await verify.stop('SIGKILL');
    await until(() => inside().length === 0, { what: 'the end of all processes of the part' });
    repository.write('parts.json', JSON.stringify(PARTS.slice(0, 1)));
    expect((await repository.verify()).code).toBe(0);
  });

  it('tries the other parts when the inputs of one cannot be read', async () => {
    const repository = new Repository();
    repository.write('mended', '');
    rmSync(join(repository.folder, 'two'), { recursive: true });
    repository.commit();
    const { code, output } = await repository.verify();
    expect(code).toBe(1);
    expect(output).toContain('two: FAILED, The input two has no file.');
    expect(Object.keys(repository.rows())).toEqual(['one', 'three']);
  });
});
