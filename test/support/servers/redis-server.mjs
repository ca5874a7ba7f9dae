import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../basics/free-port.mjs';
import { PATIENCE } from '../basics/patience.mjs';
import { tie } from '../basics/tied-children.mjs';

const STOP_TIMEOUT = 30_000;

/** The path of a `redis-server` or `valkey-server` program, or undefined when PATH has none. */
export function findRedisServer() {
  return findProgram('redis-server', 'valkey-server');
}

/** The path of the first of these programs that PATH has, or undefined. */
export function findProgram(...names) {
  const candidates = names.flatMap((name) =>
    (process.env.PATH ?? '')
      .split(delimiter)
      .filter(Boolean)
      .map((folder) => join(folder, name)),
  );
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * A separate Redis on 127.0.0.1. It keeps its port over `stop()` and `start()`; its data only with `persistent`. 1,024
 * logical databases, so that every host of a test run can have one.
 */
export class RedisServer {
  #child;

  constructor(program, folder, port, persistent, args) {
    this.program = program;
    this.folder = folder;
    this.port = port;
    this.persistent = persistent;
    this.args = args;
    this.url = `redis://127.0.0.1:${port}`;
  }

  async start() {
    if (this.#child) return;
    const child = tie(
      spawn(
        this.program,
        [
          ...['--bind', '127.0.0.1', '--port', String(this.port), '--dir', this.folder, '--databases', '1024'],
          ...['--save', '', '--appendonly', this.persistent ? 'yes' : 'no', '--maxmemory-policy', 'noeviction'],
          ...this.args,
        ],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      ),
    );
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', (error) => {
      output += error.message;
    });
    const deadline = Date.now() + PATIENCE;
    while (!(await answersPing(this.port))) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined || Date.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(`Redis did not start on port ${this.port}:\n${output.trim()}`);
      }
      await delay(20);
    }
    this.#child = child;
  }

  /** Keeps its connections but stops answering, until `stop('SIGKILL')`. */
  freeze() {
    this.#child?.kill('SIGSTOP');
  }

  async stop(signal = 'SIGTERM') {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
    await exited;
    clearTimeout(timer);
  }
}

/** Starts a Redis server. `folder` is made if needed; `args` are added to the command line. */
export async function startRedisServer({ folder, persistent = false, program = findRedisServer(), args = [] }) {
  if (!program) throw new Error('No redis-server or valkey-server on PATH: install one of them.');
  mkdirSync(folder, { recursive: true });
  const server = new RedisServer(program, folder, await freePort(), persistent, args);
  await server.start();
  return server;
}

function answersPing(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const done = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => done(false));
    socket.once('data', (data) => done(data.toString().startsWith('+PONG')));
    socket.once('error', () => done(false));
    socket.once('close', () => done(false));
  });
}
