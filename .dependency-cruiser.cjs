const LIB = '^libs/emails/src';

/** A path inside one of these folders of the library. */
const inside = (...folders) => `${LIB}/(${folders.join('|')})/`;

/** Folders that anybody may import and that import only one another. */
const COMMON = ['ports', 'options', 'errors', 'mailbox', 'text', 'batching', 'periodic', 'observation', 'tracing'];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const layers = [
  {
    name: 'storage-imports-nobody',
    comment: 'All SQL lives in storage, and it stands on the ground: it may know only the common folders.',
    from: { path: inside('storage') },
    to: { path: `${LIB}/`, pathNot: inside('storage', ...COMMON) },
  },
  {
    name: 'common-folders-are-leaves',
    comment: 'Ports, errors and small tools are imported by everybody, so they import nobody.',
    from: { path: inside(...COMMON) },
    to: { path: `${LIB}/`, pathNot: inside(...COMMON) },
  },
  {
    name: 'queue-is-a-leaf',
    comment: 'The queue folder names the queue and hands over hints; acceptance and delivery both stand on it.',
    from: { path: inside('queue') },
    to: { path: inside('http', 'acceptance', 'delivery', 'listing', 'storage') },
  },
  {
    name: 'http-only-translates',
    comment: 'Controllers and DTOs talk to acceptance and listing; rows, queues and SMTP are not their business.',
    from: { path: inside('http') },
    to: { path: inside('storage', 'queue', 'delivery') },
  },
  {
    name: 'nobody-imports-http',
    comment: 'HTTP is the top floor.',
    from: { path: inside('acceptance', 'listing', 'delivery', 'queue', 'storage') },
    to: { path: inside('http') },
  },
  {
    name: 'acceptance-stands-alone',
    comment: 'What is accepted reaches delivery through PostgreSQL and the queue, never by a call.',
    from: { path: inside('acceptance') },
    to: { path: inside('delivery', 'listing') },
  },
  {
    name: 'delivery-stands-alone',
    comment: 'Delivery knows rows, not requests.',
    from: { path: inside('delivery') },
    to: { path: inside('acceptance', 'listing') },
  },
  {
    name: 'listing-reads',
    comment: 'Listing reads storage and does nothing else.',
    from: { path: inside('listing') },
    to: { path: inside('acceptance', 'delivery', 'queue') },
  },
  {
    name: 'module-is-the-top',
    comment: 'emails.module.ts composes the floors, so no floor may know it; index.ts is for outsiders.',
    from: { path: `${LIB}/.+/` },
    to: { path: `${LIB}/(emails\\.module|index)\\.ts$` },
  },
];

const HOST = '^apps/host/src';

/** The folders of the host, from the ground up: each with the folders below it that it may import. */
const HOST_FLOORS = {
  shared: [],
  redis: [],
  embedded: [],
  openapi: [],
  access: ['shared', 'redis'],
  audience: ['shared', 'access'],
  templates: ['shared', 'access'],
  config: ['access'],
  database: ['shared', 'access', 'audience', 'templates'],
  queue: ['redis', 'database'],
  operations: ['shared', 'redis', 'access', 'config'],
  http: ['operations'],
  bootstrap: ['shared', 'embedded', 'access', 'config', 'database', 'queue', 'operations', 'http'],
};

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const hostLayers = [
  ...Object.entries(HOST_FLOORS).map(([folder, below]) => ({
    name: `host-${folder}`,
    comment: `What ${folder} may import is listed in HOST_FLOORS; files beside main.ts compose, and nobody imports them.`,
    from: { path: `${HOST}/${folder}/` },
    to: { path: `${HOST}/`, pathNot: `${HOST}/(${[folder, ...below].join('|')})/` },
  })),
  {
    name: 'host-folder-has-a-floor',
    comment: 'A folder that HOST_FLOORS does not name may import nothing, so that its place is thought of.',
    from: { path: `${HOST}/[^/]+/`, pathNot: `${HOST}/(${Object.keys(HOST_FLOORS).join('|')})/` },
    to: {},
  },
  {
    name: 'host-folders-in-no-circle',
    comment: 'Folders within a floor stand on each other too.',
    scope: 'folder',
    from: { path: `${HOST}/` },
    to: { circular: true },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Type-only imports count: a circle of types is a circle of ideas.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that cannot be followed cannot be checked. Build first: packages are entered by their dist.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    ...layers.map((rule) => ({ severity: 'error', ...rule })),
    ...hostLayers.map((rule) => ({ severity: 'error', ...rule })),
    {
      name: 'library-by-its-door',
      comment: "The library is imported as 'nestjs-emails' (or 'nestjs-emails/testing'), and no file behind that door.",
      severity: 'error',
      from: { pathNot: '^libs/emails/' },
      to: { path: '^libs/emails/', pathNot: '^libs/emails/dist/(testing/)?index\\.(d\\.ts|js)$' },
    },
    {
      name: 'library-by-its-name',
      comment: 'A path to the door is not its name: strangers have no such path.',
      severity: 'error',
      from: { pathNot: '^libs/emails/' },
      to: { path: '^libs/emails/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased-workspace'] },
    },
    {
      name: 'library-knows-no-app',
      comment: 'Were the host needed by the library, no stranger could use it.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|test)/' },
    },
    {
      name: 'app-knows-no-test',
      severity: 'error',
      from: { path: '^apps/' },
      to: { path: '^test/' },
    },
    {
      name: 'tests-run-what-is-built',
      comment: 'End-to-end tests see the host as its users do.',
      severity: 'error',
      from: { path: '^test/' },
      to: { path: '^apps/[^/]+/src/' },
    },
  ],
  options: {
    doNotFollow: { path: ['(^|/)node_modules/', '(^|/)dist/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.test.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
