/**
 * `npm run api-report`: the types that each entry point of the package gives to its users, held against what is written
 * beside this file; `-- --write` renews that. Reads `dist`, so build first.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const LIBRARY = fileURLToPath(new URL('..', import.meta.url));
const REPORTS = fileURLToPath(new URL('.', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/api-report', import.meta.url));
const PACKAGE = `${LIBRARY}package.json`;

const write = process.argv.includes('--write');
const quiet = { default: { logLevel: 'none' } };

/** `./testing` is reported as `testing`, `.` as `index`. */
function configOf(entry, { types }) {
  return ExtractorConfig.prepare({
    packageJsonFullPath: PACKAGE,
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: LIBRARY,
      mainEntryPointFilePath: `${LIBRARY}${types}`,
      compiler: { tsconfigFilePath: `${LIBRARY}tsconfig.json` },
      apiReport: {
        enabled: true,
        reportFileName: entry === '.' ? 'index' : entry.slice('./'.length).replaceAll('/', '-'),
        reportFolder: REPORTS,
        reportTempFolder: CACHE,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      // What is documented, and how, is for typedoc to judge.
      messages: {
        compilerMessageReporting: quiet,
        extractorMessageReporting: quiet,
        tsdocMessageReporting: quiet,
      },
    },
  });
}

/** @returns whether the report is as the types are now */
function isTrue(entry, targets) {
  const { apiReportChanged } = Extractor.invoke(configOf(entry, targets), {
    localBuild: write,
    messageCallback: (message) => {
      message.handled = true;
    },
  });
  return write || !apiReportChanged;
}

mkdirSync(CACHE, { recursive: true });
const { exports } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
const changed = Object.entries(exports).filter(([entry, targets]) => !isTrue(entry, targets));
for (const [entry] of changed) process.stderr.write(`The public API of ${entry} is not what libs/emails/api says.\n`);
if (changed.length > 0) {
  process.stderr.write('If it is meant to change: `npm run api-report -- --write`, and look at the difference.\n');
  process.exitCode = 1;
}
