/**
 * Looks for words that ../docs/word-list.mjs names, in comments and sentences of sources and in pages. Prints each with
 * its file, line and what to write instead; exits with 1 when there is one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { words } from './word-list.mjs';

const SOURCE = /\.(?:ts|tsx|mts|mjs|js)$/;
const PAGE = /\.md$/;
/** Recorded answers, generated pages, and what other programs wrote. */
const EXCLUDED = /^(?:docs\/(?:words|word-list)\.mjs$|.*\/(?:recorded|generated|fixtures)\/|.*\.api\.md$)/;

const files = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...process.argv.slice(2)],
  {
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  },
)
  .split('\0')
  .filter((file) => existsSync(file));

/** Names of tables and columns are not sentences. */
const SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER)\b/;

const rules = words.map((word) => ({ ...word, pattern: new RegExp(word.pattern.source, 'i') }));

let comments = 0;
const findings = files
  .filter((file) => !EXCLUDED.test(file))
  .flatMap((file) => {
    if (SOURCE.test(file)) return sourceSentences(file);
    return PAGE.test(file) ? pageSentences(file) : [];
  })
  .flatMap(check);

report();

/** @returns {{ file: string, line: number, text: string, isStart: boolean }[]} lines of comments, and texts with spaces */
function sourceSentences(file) {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Map();
  const visit = (node) => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ]) {
      if (!found.has(range.pos))
        found.set(range.pos, commentLines(file, source, text.slice(range.pos, range.end), range.pos));
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
      if (/\w \w+ \w/.test(node.text) && !SQL.test(node.text))
        found.set(node.getStart(), [lineOf(file, source, node.getStart(), node.text)]);
    }
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  return [...found.values()].flat();
}

function lineOf(file, source, position, text) {
  return { file, line: source.getLineAndCharacterOfPosition(position).line + 1, text, isStart: false };
}

/** Each line of a comment; a line starts a sentence when the one before it ends one. */
function commentLines(file, source, comment, position) {
  const first = source.getLineAndCharacterOfPosition(position).line + 1;
  let isStart = true;
  return comment.split('\n').map((raw, index) => {
    const text = raw
      .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)\s?/, '')
      .replace(/\s*\*\/\s*$/, '')
      .replace(/^\s*@(?:param \S+|returns|throws \S+)\s*/, '');
    comments += 1;
    const line = { file, line: first + index, text, isStart };
    isStart = text.trim() === '' || /[.!?:]\)?$/.test(text.trim());
    return line;
  });
}

/** Lines of a page outside of code. */
function pageSentences(file) {
  let inCode = false;
  let isStart = true;
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((raw, index) => {
      if (/^\s*(?:```|~~~)/.test(raw)) inCode = !inCode;
      if (inCode) return [];
      const text = raw.replace(/^[\s>*#-]+/, '').replace(/`[^`]*`/g, '`…`');
      const line = { file, line: index + 1, text, isStart };
      isStart = text.trim() === '' || /[.!?:|]\**$/.test(text.trim());
      return [line];
    });
}

function check({ file, line, text, isStart }) {
  const plain = text.replace(/`[^`]*`/g, '`…`');
  const sentences = plain.split(/(?<=[.!?:;])\s+(?=[A-Z])/);
  return rules.flatMap(({ pattern, where, instead }) => {
    const places =
      where === 'start' ? sentences.slice(isStart ? 0 : 1).filter((sentence) => /^\W*[A-Z]/.test(sentence)) : [plain];
    return places
      .map((place) => pattern.exec(where === 'start' ? place.replace(/^\W+/, '') : place))
      .filter((match) => match !== null)
      .map(([match]) => ({ file, line, match, instead }));
  });
}

function report() {
  for (const { file, line, match, instead } of findings) print(`${file}:${line}: "${match}": write ${instead}.`);
  print(`${findings.length} findings in ${comments} lines of comments.`);
  if (findings.length > 0) process.exitCode = 1;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
