import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';
import { COMPOSED } from '../options/module-options.js';

/** @throws Error when an application has this module more than once: its routes and workers would exist twice */
export function refuseSecond(type: Type, modules: ModulesContainer): void {
  const composed = [...modules.values()].filter(
    ({ metatype, providers }) => metatype === type && providers.has(COMPOSED),
  );
  if (composed.length < 2) return;
  throw new Error(
    `${type.name} is there twice: \`${type.name}.forRoot\` or \`forRootAsync\` was called ${composed.length} times. Call it ` +
      'once, with all features, keep what it returns, and import that unchanged wherever it is needed; or give it ' +
      '`isGlobal: true` and import it once.',
  );
}
