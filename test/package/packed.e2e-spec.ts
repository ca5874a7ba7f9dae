import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { installLog, packageFolder, packedFiles } from '../support/jest/test-environment.js';

const installed = join(packageFolder(), 'node_modules/nestjs-emails');
const files = packedFiles('nestjs-emails').map(({ path }) => path);

const dataUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

/** A module that has the process print the address of every module that it loads. */
const TELL_WHAT_IS_LOADED = dataUrl(`
  import { register } from 'node:module';
  register(${JSON.stringify(
    dataUrl(`
      import { writeSync } from 'node:fs';
      export async function load(url, context, next) {
        writeSync(1, url + '\\n');
        return next(url, context);
      }`),
  )});`);

describe('the packed package', () => {
  it('has types, source maps, README, licence and changelog, and nothing else', () => {
    expect(files.filter((file) => !file.startsWith('dist/')).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    const built = files.filter((file) => file.startsWith('dist/'));
    const others = built.filter((file) => !/\.(js|js\.map|d\.ts)$/.test(file) || /\.spec\./.test(file));
    expect(others).toEqual(['dist/folder.cjs']);
    for (const file of built.filter((file) => file.endsWith('.js'))) {
      expect(built).toEqual(expect.arrayContaining([`${file}.map`, file.replace(/\.js$/, '.d.ts')]));
    }
  });

  it('has source maps that need no other file', () => {
    const folder = join(installed, 'dist');
    const maps = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js.map'));
    expect(maps.length).toBeGreaterThan(50);
    for (const file of maps) {
      const { sources, sourcesContent } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      expect([file, sourcesContent?.length]).toEqual([file, sources.length]);
    }
  });

  it.each(['nestjs-emails', 'nestjs-emails-dashboard'])(
    'has its `import.meta`, which CommonJS cannot read, in one file that CommonJS does not load: %s',
    (name) => {
      const folder = join(packageFolder(), 'node_modules', name);
      const modules = packedFiles(name)
        .map(({ path }) => path)
        .filter((path) => /^dist\/(?!page\/).*\.js$/.test(path));
      const using = modules.filter((path) => readFileSync(join(folder, path), 'utf8').includes('import.meta'));
      expect(using).toEqual(['dist/folder.js']);
    },
  );

  it('exports each of its modules', () => {
    const { exports, scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(exports)).toEqual([
      '.',
      './access',
      './audience',
      './domains',
      './feedback',
      './templates',
      './webhooks',
      './facts',
      './testing',
    ]);
    for (const hook of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(hook);
  });

  it.each(['access', 'audience', 'domains', 'feedback', 'templates', 'webhooks'])(
    'does not load the dependencies of emails for %s alone',
    async (subpath) => {
      const program = join(packageFolder(), `only-${subpath}.mjs`);
      writeFileSync(program, `import 'nestjs-emails/${subpath}';`);
      const args = ['--import', TELL_WHAT_IS_LOADED, program];
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: packageFolder() });
      expect(stdout).toContain('/node_modules/typeorm/');
      expect(stdout).not.toMatch(/node_modules\/(bullmq|nodemailer|html-to-text|chrono-node)\//);
    },
  );

  it('has no second copy of dependencies of the host', () => {
    const tree = readdirSync(join(packageFolder(), 'node_modules'), { recursive: true, encoding: 'utf8' });
    for (const name of ['@nestjs/common', '@nestjs/core', 'typeorm', 'bullmq', 'class-validator', 'rxjs']) {
      const copies = tree.filter(
        (path) =>
          (path.endsWith(join(name, 'package.json')) && dirname(path).endsWith(join('node_modules', name))) ||
          path === join(name, 'package.json'),
      );
      expect([name, copies.length]).toEqual([name, 1]);
    }
  });

  it('is installed next to fresh versions without a warning about it', () => {
    expect(installLog()).not.toMatch(/ERESOLVE|peer dep|deprecated|nestjs-emails/i);
  });
});

describe('the packed dashboard', () => {
  const packed = packedFiles('nestjs-emails-dashboard');
  const paths = packed.map(({ path }) => path);
  const page = paths.filter((path) => path.startsWith('dist/page/'));
  const contentOf = (path: string) => readFileSync(join(packageFolder(), 'node_modules/nestjs-emails-dashboard', path));

  it('has its server and the built page, and none of the sources of the page', () => {
    expect(paths.filter((path) => !path.startsWith('dist/')).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'package.json',
    ]);
    const served = paths.filter((path) => path.startsWith('dist/') && !path.startsWith('dist/page/'));
    const odd = served.filter((path) => !/\.(js|js\.map|d\.ts)$/.test(path) || /\.spec\./.test(path));
    expect(odd).toEqual(['dist/folder.cjs']);
    for (const path of served.filter((name) => name.endsWith('.js'))) {
      expect(served).toEqual(expect.arrayContaining([`${path}.map`, path.replace(/\.js$/, '.d.ts')]));
    }
    expect(page).toEqual(expect.arrayContaining(['dist/page/index.html', 'dist/page/licenses.md']));
    const others = page.filter(
      (path) => !/^dist\/page\/(assets\/[\w.-]+-[\w-]{8}\.(js|css)|[\w.-]+\.(html|svg|md))(\.gz)?$/.test(path),
    );
    expect(others).toEqual([]);
  });

  it('has a compressed copy next to each file of the page', () => {
    const texts = page.filter((path) => /\.(html|js|css|svg)$/.test(path));
    expect(texts.length).toBeGreaterThan(2);
    for (const path of texts)
      expect([path, gunzipSync(contentOf(`${path}.gz`)).equals(contentOf(path))]).toEqual([path, true]);
  });

  it('depends only on packages of the host and a message parser', () => {
    const { dependencies, exports, scripts } = JSON.parse(contentOf('package.json').toString());
    expect(Object.keys(dependencies)).toEqual(['postal-mime']);
    expect(Object.keys(exports)).toEqual(['.']);
    for (const hook of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(hook);
    expect(readdirSync(join(packageFolder(), 'node_modules'))).not.toEqual(expect.arrayContaining(['react']));
  });

  it('takes less than 2 MB', () => {
    expect(packed.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(2_000_000);
  });
});
