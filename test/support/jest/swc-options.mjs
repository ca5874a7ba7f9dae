/** How sources become JavaScript where no `tsc` has been: decorators and their metadata as Nest needs them. */
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

/** The same for what has elements in it, which the page alone has. */
export const SWC_OPTIONS_OF_PAGE = {
  ...SWC_OPTIONS,
  jsc: {
    ...SWC_OPTIONS.jsc,
    parser: { syntax: 'typescript', tsx: true },
    transform: { react: { runtime: 'automatic' } },
  },
};
