/** Compiler options for sources without `tsc`: decorators with metadata for Nest. */
export const SWC_OPTIONS = {
  swcrc: false,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

/** The same for JSX, which only the page has. */
export const SWC_OPTIONS_OF_PAGE = {
  ...SWC_OPTIONS,
  jsc: {
    ...SWC_OPTIONS.jsc,
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
};
