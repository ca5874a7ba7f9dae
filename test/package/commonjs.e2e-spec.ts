import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packageFolder } from '../support/jest/test-environment.js';

const root = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const host = packageFolder();
const readme = readFileSync(join(host, 'node_modules/nestjs-emails/README.md'), 'utf8');

/** Runs a program of npm in the host, with its output as the error. */
async function run(program: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [program, ...args], { cwd: host }).catch(({ stdout, stderr }) => {
    throw new Error(stdout + stderr);
  });
}

async function compile(compiler: string, name: string, config: object): Promise<void> {
  const file = join(host, name);
  writeFileSync(file, JSON.stringify(config));
  await run(compiler, '-p', file);
}

describe('a CommonJS host', () => {
  it('can be tested by jest with the line from the README', async () => {
    const line = /^"transformIgnorePatterns": .*$/m.exec(readme)?.[0];
    const swc = {
      jsc: { parser: { syntax: 'typescript', decorators: true }, transform: { legacyDecorator: true } },
      module: { type: 'commonjs' },
    };
    const config = {
      ...JSON.parse(`{${line}}`),
      rootDir: host,
      roots: ['<rootDir>/test'],
      transform: { '^.+\\.(t|j)s$': [root('node_modules/@swc/jest'), swc] },
    };
    await run(root('node_modules/jest/bin/jest.js'), '--config', JSON.stringify(config));
  });

  it('finds the types without support for `exports` in TypeScript', async () => {
    const modules = ['', '/access', '/audience', '/feedback', '/templates', '/webhooks', '/testing'];
    const imports = modules.map((subpath, index) => `import * as module${index} from 'nestjs-emails${subpath}';`);
    writeFileSync(join(host, 'classic.ts'), [...imports, 'export default [module0.EmailsModule];'].join('\n'));
    await compile(join(host, 'node_modules/typescript/bin/tsc'), 'tsconfig.classic.json', {
      compilerOptions: {
        ...{ module: 'commonjs', moduleResolution: 'node10', target: 'es2023', types: ['node'] },
        ...{ strict: true, skipLibCheck: true, outDir: 'classic' },
      },
      files: ['classic.ts'],
    });
    await run(join(host, 'classic/classic.js'));
  });
});

it('the library uses only features of all its peers', async () => {
  for (const part of ['src', 'package.json']) {
    cpSync(root(`libs/emails/${part}`), join(host, 'library', part), { recursive: true });
  }
  await compile(root('node_modules/typescript/bin/tsc'), 'tsconfig.library.json', {
    extends: root('tsconfig.base.json'),
    compilerOptions: {
      noEmit: true,
      typeRoots: [join(host, 'node_modules/@types')],
      paths: {
        'content-disposition': [root('node_modules/content-disposition/dist/index.d.ts')],
        'html-to-text': [root('node_modules/@types/html-to-text/index.d.ts')],
        '#emails-folder': [join(host, 'library/src/folder.ts')],
        // Optional peers, which this host does without.
        mailauth: [root('node_modules/mailauth/index.d.ts')],
        'smtp-server': [root('node_modules/smtp-server/dist/cjs/smtp-server.d.ts')],
        tr46: [root('node_modules/@types/tr46/index.d.ts')],
        uuid: [root('node_modules/uuid/dist/index.d.ts')],
      },
    },
    include: ['library/src'],
    exclude: ['**/*.spec.ts', '**/*.spec-tools.ts'],
  });
});
