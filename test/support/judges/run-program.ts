import { spawn } from 'node:child_process';
import { PATIENCE } from '../basics/patience.mjs';
import { tie } from '../basics/tied-children.mjs';

/** Runs a program to its end. @returns what it wrote, as Latin-1; an exit code other than 0 is an error */
export async function runProgram(
  program: string,
  args: readonly string[],
  { input = '', env = {} }: { input?: string | Buffer; env?: Record<string, string> } = {},
): Promise<{ output: string; errors: string }> {
  const child = tie(spawn(program, args, { env: { ...process.env, ...env }, timeout: PATIENCE }));
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('latin1').on('data', (text: string) => {
    errors += text;
  });
  // It may end without a look at its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}:\n${errors}\n${output}`);
  return { output, errors };
}
