/**
 * `npm run api-report`: the types that each entry point of the packages gives to their users, held against what is
 * written in their folders `api`; `-- --write` renews that. Reads `dist`, so build first.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const PACKAGES = ['emails', 'dashboard'];
const CACHE = fileURLToPath(new URL('../node_modules/.cache/api-report', import.meta.url));

const write = process.argv.includes('--write');
const quiet = { default: { logLevel: 'none' } };

const folderOf = (name) => fileURLToPath(new URL(name, import.meta.url));

/** `./testing` is reported as `testing`, `.` as `index`. */
function configOf(name, entry, { types }) {
  const folder = folderOf(name);
  const cache = `${CACHE}/${name}`;
  mkdirSync(cache, { recursive: true });
  return ExtractorConfig.prepare({
    packageJsonFullPath: `${folder}/package.json`,
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: `${folder}/${types}`,
      compiler: { tsconfigFilePath: `${folder}/tsconfig.json` },
      apiReport: {
        enabled: true,
        reportFileName: entry === '.' ? 'index' : entry.slice('./'.length).replaceAll('/', '-'),
        reportFolder: `${folder}/api`,
        reportTempFolder: cache,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      // typedoc judges the documentation.
      messages: {
        compilerMessageReporting: quiet,
        extractorMessageReporting: quiet,
        tsdocMessageReporting: quiet,
      },
    },
  });
}

/** @returns whether the report is as the types are now */
function isTrue(...entry) {
  const { apiReportChanged } = Extractor.invoke(configOf(...entry), {
    localBuild: write,
    messageCallback: (message) => {
      message.handled = true;
    },
  });
  return write || !apiReportChanged;
}

for (const name of PACKAGES) {
  const { exports } = JSON.parse(readFileSync(`${folderOf(name)}/package.json`, 'utf8'));
  for (const [entry, targets] of Object.entries(exports)) {
    if (isTrue(name, entry, targets)) continue;
    process.stderr.write(`The public API of ${entry} is not what libs/${name}/api says.\n`);
    process.exitCode = 1;
  }
}
if (process.exitCode) {
  process.stderr.write('If it is meant to change: `npm run api-report -- --write`, and look at the difference.\n');
}
