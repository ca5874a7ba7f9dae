import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import ts from 'typescript';

const SOURCE = /^(.*\/(?:libs|apps)\/[^/]+)\/src\/(.*)\.ts$/;

/** An emitted file: its absolute path, and its JavaScript. */
export interface Emitted {
  path: string;
  code: string;
}

/** The JavaScript of one source of a built workspace, as `tsc -b` emits it, without a check of types. */
export function emit(path: string, text: string): Emitted {
  const [, workspace, name] = SOURCE.exec(path) ?? [];
  if (workspace === undefined) throw new Error(`${path} is not a source of a workspace that is built.`);
  const { outputText } = ts.transpileModule(text, {
    fileName: path,
    compilerOptions: { ...optionsOf(workspace), module: ts.ModuleKind.ESNext, sourceMap: false },
  });
  return { path: `${workspace}/dist/${name}.js`, code: outputText };
}

const known = new Map<string, ts.CompilerOptions>();

function optionsOf(workspace: string): ts.CompilerOptions {
  const file = `${workspace}/tsconfig.json`;
  const options =
    known.get(workspace) ??
    ts.parseJsonConfigFileContent(
      ts.readConfigFile(file, (at) => readFileSync(at, 'utf8')).config,
      ts.sys,
      dirname(file),
    ).options;
  known.set(workspace, options);
  return options;
}
