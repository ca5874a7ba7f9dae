import { execFile } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The user that runs PostgreSQL when we are root, as which it refuses to run. */
export interface ServerUser {
  uid: number;
  gid: number;
}

export const weAreRoot = (): boolean => process.getuid?.() === 0;

/**
 * The system's user `postgres`, created if it does not exist.
 *
 * @throws Error with a remedy, if it cannot be created
 */
export async function systemUser(): Promise<ServerUser> {
  try {
    return await lookUp('postgres').catch(async () => {
      await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
      return lookUp('postgres');
    });
  } catch (cause) {
    const remedy = 'Start as an ordinary user, add a user named postgres, or set DATABASE_URL.';
    throw new Error(`PostgreSQL does not run as root, and there is no other user to run it. ${remedy}`, { cause });
  }
}

async function lookUp(name: string): Promise<ServerUser> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** True if a user may pass through all directories above a path and enter (or execute) the path itself. */
export function mayReach(user: ServerUser, path: string): boolean {
  for (let at = realpathSync(path); ; at = dirname(at)) {
    const { mode, uid } = statSync(at);
    const mayPass = uid === user.uid ? 0o100 : 0o001;
    if ((mode & mayPass) === 0) return false;
    if (at === dirname(at)) return true;
  }
}
