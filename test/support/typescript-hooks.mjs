import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';
import { SWC_OPTIONS } from './jest/swc-options.mjs';

/** A relative `x.js` resolves to `x.ts` if it exists. */
export function resolve(specifier, context, next) {
  if (context.parentURL?.endsWith('.ts') && /^\.\.?\/.*\.js$/.test(specifier)) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(fileURLToPath(url))) return { url: url.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transformFile(fileURLToPath(url), SWC_OPTIONS);
  return { format: 'module', source: code, shortCircuit: true };
}
