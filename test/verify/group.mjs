/**
 * `node group.mjs PROGRAM [ARGUMENT…]`: runs a program in this process's group and ends like it. SIGTERM is forwarded
 * to the program. When standard input ends, the parent was killed: the program is asked to end, and when it has ended,
 * after a minute at the latest, the whole group is killed.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const GRACE = 60_000;

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
child.once('error', (error) => {
  process.stderr.write(`${program} did not start: ${error.message}\n`);
  process.exit(127);
});
child.once('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.stdin.resume().once('end', () => {
  const killGroup = () => process.kill(-process.pid, 'SIGKILL');
  child.removeAllListeners('exit').once('exit', killGroup);
  child.kill('SIGTERM');
  setTimeout(killGroup, GRACE);
});
