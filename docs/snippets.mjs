/**
 * `npm run snippets`: compiles every `ts` and `tsx` snippet of the READMEs and of `docs`, and every `@example` of the
 * sources, against the types in the packages' `dist`: build first.
 *
 * Names that a page takes for granted are declared once for it, in `docs/snippets/` under the page's path
 * (`libs-emails-readme.ts`), for all examples in `examples.ts`. That preamble precedes each snippet, without the names
 * that the snippet imports or declares itself. `docs/snippets/modules.d.ts` declares modules that are not installed here.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PREAMBLES = join(ROOT, 'docs/snippets');
/** Never written: a folder from which the packages are found as a stranger finds them. */
const PLACE = join(ROOT, 'docs/.snippets');
const FENCE = /^```(tsx?)\n(.*?)^```$/gms;

const options = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  jsx: ts.JsxEmit.ReactJSX,
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  skipLibCheck: true,
  noEmit: true,
};

const filesIn = (folder, pattern) =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .filter((file) => pattern.test(file) && !/(^|\/)(node_modules|dist|api)\//.test(file))
    .map((file) => join(folder, file));

/** The fenced snippets of a text, each with the number of its first line. */
function fenced(text, at = 1) {
  return [...text.matchAll(FENCE)].map(({ 1: language, 2: code, index }) => ({
    language,
    code,
    line: at + text.slice(0, index).split('\n').length,
  }));
}

/** The fenced snippets in the doc comments of a source file. */
function examples(text) {
  return [...text.matchAll(/^ *\/\*\*.*?\*\//gms)].flatMap(({ 0: comment, index }) =>
    fenced(comment.replace(/^ *\* ?/gm, ''), text.slice(0, index).split('\n').length),
  );
}

const parsed = (code) => ts.createSourceFile('snippet.tsx', code, options.target, true);

/** The names that a statement imports or declares. */
function namesOf(statement) {
  if (ts.isImportDeclaration(statement)) {
    const { name, namedBindings } = statement.importClause ?? {};
    const bound = namedBindings?.elements ?? (namedBindings ? [namedBindings] : []);
    return [name, ...bound.map((binding) => binding.name)].flatMap((named) => (named ? [named.text] : []));
  }
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(
      ({ name }) => name.elements?.map((one) => one.name.text) ?? name.text,
    );
  }
  return statement.name ? [statement.name.text] : [];
}

/** The preamble in one line for each statement, without what the snippet has itself. */
function preambleOf(page, code) {
  const name = page
    .replace(/\.md$/, '')
    .replace(/[^a-z]+/gi, '-')
    .toLowerCase();
  const file = ['.ts', '.tsx'].map((end) => join(PREAMBLES, name + end)).find((path) => existsSync(path));
  if (!file) return '';
  const own = new Set(parsed(code).statements.flatMap(namesOf));
  return parsed(readFileSync(file, 'utf8'))
    .statements.flatMap((statement) => {
      const names = namesOf(statement);
      if (!names.some((one) => own.has(one))) return [statement.getText()];
      if (!ts.isImportDeclaration(statement)) return [];
      const { elements } = statement.importClause.namedBindings;
      const left = elements.filter((element) => !own.has(element.name.text)).map((element) => element.getText());
      return left.length === 0 ? [] : [`import { ${left.join(', ')} } from ${statement.moduleSpecifier.getText()};`];
    })
    .join('\n');
}

const pages = [
  'README.md',
  'SECURITY.md',
  ...['docs', 'libs', 'test/hosts'].flatMap((folder) => filesIn(folder, /\.md$/)),
];
const sources = filesIn('libs', /\/src\/.*(?<!\.spec)\.tsx?$/);
const snippets = [
  ...pages.map((page) => [page, page, fenced]),
  ...sources.map((source) => [source, 'examples', examples]),
].flatMap(([file, page, read]) =>
  read(readFileSync(join(ROOT, file), 'utf8')).map(({ language, code, line }) => {
    const preamble = preambleOf(page, code);
    return {
      name: join(PLACE, `${file.replaceAll('/', '-')}-${line}.${language}`),
      text: `${preamble}\n${code}\nexport {};\n`,
      file,
      /** Line in the page, minus the line in the compiled text. */
      offset: line - preamble.split('\n').length - 1,
    };
  }),
);

const byName = new Map(snippets.map((snippet) => [snippet.name, snippet]));
const host = ts.createCompilerHost(options);
const { fileExists, readFile, getSourceFile } = host;
host.fileExists = (name) => byName.has(name) || fileExists(name);
host.readFile = (name) => byName.get(name)?.text ?? readFile(name);
host.getSourceFile = (name, ...rest) => {
  const snippet = byName.get(name);
  return snippet
    ? Object.assign(ts.createSourceFile(name, snippet.text, rest[0], true), {
        impliedNodeFormat: ts.ModuleKind.ESNext,
      })
    : getSourceFile(name, ...rest);
};

const program = ts.createProgram([...byName.keys(), join(PREAMBLES, 'modules.d.ts')], options, host);
const problems = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
  const snippet = file && byName.get(file.fileName);
  const text = ts.flattenDiagnosticMessageText(messageText, '\n');
  if (!snippet) return `${file ? relative(ROOT, file.fileName) : ''} ${text}`;
  return `${snippet.file}:${snippet.offset + file.getLineAndCharacterOfPosition(start).line + 1} ${text}`;
});
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else process.stdout.write(`${snippets.length} snippets compile.\n`);
