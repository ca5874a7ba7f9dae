const LIB = '^libs/emails/src';
const CORE = `${LIB}/emails`;
const SHARED = `${LIB}/shared/`;
/** The other modules of the package, each a subpath of it. */
const FEATURES = ['access', 'audience', 'templates', 'webhooks'];

/** A path inside one of these rooms of the core. */
const inside = (...rooms) => `${CORE}/(${rooms.join('|')})/`;

/** In the core, whatever is in none of these rooms. */
const outside = (...rooms) => ({ path: `${CORE}/`, pathNot: inside(...rooms) });

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const layers = [
  {
    name: 'shared-knows-no-emails',
    comment: 'What is shared stands on the ground: every feature may build on it, and none is known to it.',
    from: { path: SHARED },
    to: { path: `${LIB}/`, pathNot: SHARED },
  },
  {
    name: 'states-are-leaves',
    comment: 'The states of an email are known to everybody, so they know nobody.',
    from: { path: inside('states') },
    to: outside('states'),
  },
  {
    name: 'ports-are-leaves',
    comment: 'What a host may supply is known to everybody, so it knows nobody.',
    from: { path: inside('ports') },
    to: outside('ports', 'states'),
  },
  {
    name: 'observation-knows-ports',
    comment: "The host's listeners and observers are told from every room.",
    from: { path: inside('observation') },
    to: outside('observation', 'ports', 'states'),
  },
  {
    name: 'storage-knows-ports',
    comment: 'All SQL of the core lives in storage, and it knows nobody who asks.',
    from: { path: inside('storage') },
    to: outside('storage', 'ports', 'states'),
  },
  {
    name: 'outbox-knows-storage',
    comment: 'Handing over events reaches whoever records them through the rows.',
    from: { path: inside('outbox') },
    to: outside('outbox', 'storage', 'ports', 'states'),
  },
  {
    name: 'queue-is-a-leaf',
    comment: 'The queue is a wake-up: send and deliver both stand on it, and it knows neither.',
    from: { path: inside('queue') },
    to: outside('queue', 'ports', 'states'),
  },
  {
    name: 'transports-know-ports',
    comment: 'A transport gets a message and says what became of it.',
    from: { path: inside('transports') },
    to: outside('transports', 'ports', 'states'),
  },
  {
    name: 'message-is-made-of-rows',
    comment: 'From email to MIME: who asks for it, and where it goes, is not known here.',
    from: { path: inside('message') },
    to: outside('message', 'storage', 'ports', 'states'),
  },
  {
    name: 'housekeeping-knows-storage',
    from: { path: inside('housekeeping') },
    to: outside('housekeeping', 'storage', 'ports', 'states'),
  },
  {
    name: 'send-stands-alone',
    comment: 'What is accepted reaches delivery through PostgreSQL and the queue, never by a call.',
    from: { path: inside('send') },
    to: outside('send', 'storage', 'queue', 'observation', 'ports', 'states'),
  },
  {
    name: 'read-reads',
    comment: 'Reading changes nothing and makes nothing; an email as it is on the wire it has made by message.',
    from: { path: inside('read') },
    to: outside('read', 'message', 'storage', 'queue', 'ports', 'states'),
  },
  {
    name: 'change-moves-rows',
    comment: 'A change reaches delivery through the rows and the queue; what a time is, it knows from sending.',
    from: { path: inside('change') },
    to: outside('change', 'send/request', 'storage', 'queue', 'observation', 'ports', 'states'),
  },
  {
    name: 'deliver-stands-alone',
    comment: 'Delivery knows rows, not requests.',
    from: { path: inside('deliver') },
    to: outside('deliver', 'message', 'transports', 'storage', 'queue', 'observation', 'ports', 'states'),
  },
  {
    name: 'http-only-translates',
    comment: 'Controllers talk to send, read and change; rows, queues and SMTP are not their business.',
    from: { path: inside('http') },
    to: {
      path: `${CORE}/`,
      pathNot: `${CORE}/((http|send|read|change|ports|states)/|emails\\.(options|tokens)\\.ts$)`,
    },
  },
  {
    name: 'nobody-imports-http',
    comment: 'HTTP is a door, and EmailsService another one beside it. The module opens both.',
    from: { path: `${CORE}/`, pathNot: `${CORE}/(http/|emails\\.module\\.ts$)` },
    to: { path: inside('http') },
  },
  {
    name: 'module-is-the-top',
    comment: 'emails.module.ts composes the rooms, so no room may know it; index.ts is for outsiders.',
    from: { path: `${LIB}/(emails/.+|shared|testing)/` },
    to: { path: `${LIB}/(emails/emails\\.module|index|testing/index)\\.ts$` },
  },
  {
    name: 'core-knows-no-feature',
    comment: 'The core stands without them: what it asks, it asks by its ports.',
    from: { path: `${LIB}/(emails|shared|testing|index\\.ts$)` },
    to: { path: `${LIB}/(${FEATURES.join('|')})/` },
  },
  ...FEATURES.map((feature) => ({
    name: `${feature}-by-doors`,
    comment: "A feature imports the core's door and what is shared, and no other feature: a host may have it alone.",
    from: { path: `${LIB}/${feature}/` },
    to: { path: `${LIB}/`, pathNot: `${LIB}/(${feature}/|shared/|index\\.ts$)` },
  })),
  {
    name: 'feature-borrows-types',
    comment:
      "The core's door brings a queue and SMTP: a host that has only a feature loads neither. Code is in shared.",
    from: { path: `${LIB}/(${FEATURES.join('|')})/` },
    to: { path: `${LIB}/index\\.ts$`, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'library-folder-is-known',
    comment: 'Whatever lies beside the rooms of these rules would be a way past them, so it may import nothing.',
    from: { path: `${LIB}/`, pathNot: `${LIB}/((emails|shared|testing|${FEATURES.join('|')})/|index\\.ts$)` },
    to: {},
  },
  {
    name: 'door-of-the-core',
    comment: 'What leads here is the core and what it shares with the features, which have doors of their own.',
    from: { path: `${LIB}/index\\.ts$` },
    to: { path: `${LIB}/`, pathNot: `${LIB}/(emails|shared)/` },
  },
  {
    name: 'feature-is-the-top-of-itself',
    comment: 'A module composes its folder, so nothing in it may know the module; its index.ts is for outsiders.',
    from: { path: `${LIB}/(${FEATURES.join('|')})/`, pathNot: '/(index|[a-z]+\\.module\\.spec)\\.ts$' },
    to: { path: `${LIB}/(${FEATURES.join('|')})/([a-z]+\\.module|index)\\.ts$` },
  },
  {
    name: 'testing-knows-no-http',
    comment: 'The testing module has the rules and no routes.',
    from: { path: `${LIB}/testing/` },
    to: { path: inside('http', 'deliver', 'message', 'transports', 'read') },
  },
];

const DASHBOARD = '^libs/dashboard/src';
const PAGE = '^libs/dashboard/page/src';

/** The folders of the page, from the ground up: each with the folders below it that it may import. */
const PAGE_FLOORS = {
  styles: [],
  hooks: [],
  api: ['hooks'],
  parts: ['api', 'hooks', 'styles'],
  screens: ['parts', 'api', 'hooks', 'styles'],
  frame: ['screens', 'parts', 'api', 'hooks', 'styles'],
};

/** What of npm is in the page, and with it in the browser of everybody who opens it. */
const OF_PAGE = ['react', 'react-dom', '@tanstack/react-(query|virtual)', 'wouter', 'd3-(scale|shape)'];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const dashboardLayers = [
  {
    name: 'server-knows-no-page',
    comment: 'The page is built by itself, and what serves it sees nothing of it but files.',
    from: { path: `${DASHBOARD}/` },
    to: { path: '^libs/dashboard/(page|dist)/' },
  },
  {
    name: 'page-is-of-the-browser',
    comment: 'It knows the API, and neither Node nor what serves it. What else it is to bring is listed in OF_PAGE.',
    from: { path: `${PAGE}/`, pathNot: '\\.spec\\.ts$' },
    to: { pathNot: [`${PAGE}/`, `^node_modules/(@types/)?(${OF_PAGE.join('|')})/`] },
  },
  ...Object.entries(PAGE_FLOORS).map(([folder, below]) => ({
    name: `page-${folder}`,
    comment: `What ${folder} may import is listed in PAGE_FLOORS; files beside main.tsx compose, and nobody imports them.`,
    from: { path: `${PAGE}/${folder}/` },
    to: { path: `${PAGE}/`, pathNot: `${PAGE}/(${[folder, ...below].join('|')})/` },
  })),
  {
    name: 'page-folder-has-a-floor',
    comment: 'A folder that PAGE_FLOORS does not name may import nothing of the page, so that its place is thought of.',
    from: { path: `${PAGE}/[^/]+/`, pathNot: `${PAGE}/(${Object.keys(PAGE_FLOORS).join('|')})/` },
    to: { path: `${PAGE}/` },
  },
  {
    name: 'screens-know-no-screen',
    comment: 'Each is a chunk of its own. What two of them need is in parts.',
    from: { path: `${PAGE}/screens/([^/]+)/` },
    to: { path: `${PAGE}/screens/`, pathNot: `${PAGE}/screens/$1/` },
  },
];

const HOST = '^apps/host/src';

/** The folders of the host, from the ground up: each with the folders below it that it may import. */
const HOST_FLOORS = {
  shared: [],
  redis: [],
  embedded: [],
  openapi: [],
  config: [],
  database: ['shared'],
  queue: ['redis', 'database'],
  operations: ['shared', 'redis', 'config'],
  dashboard: ['shared', 'embedded', 'config', 'operations'],
  http: ['operations'],
  bootstrap: ['shared', 'embedded', 'config', 'database', 'queue', 'operations', 'http'],
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
      comment:
        'An import that cannot be followed cannot be checked. Build first: packages are entered by their dist. Two are ' +
        'installed with the hosts in test/hosts alone.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^@nestjs/(platform-fastify|swagger)$' },
    },
    ...layers.map((rule) => ({ severity: 'error', ...rule })),
    ...dashboardLayers.map((rule) => ({ severity: 'error', ...rule })),
    ...hostLayers.map((rule) => ({ severity: 'error', ...rule })),
    {
      name: 'library-by-its-door',
      comment: "The library is imported as 'nestjs-emails' or one of its subpaths, and no file behind these doors.",
      severity: 'error',
      from: { pathNot: '^libs/emails/' },
      to: {
        path: '^libs/emails/',
        pathNot: `^libs/emails/dist/((${FEATURES.join('|')}|testing)/)?index\\.(d\\.ts|js)$`,
      },
    },
    {
      name: 'library-by-its-name',
      comment: 'A path to the door is not its name: strangers have no such path.',
      severity: 'error',
      from: { pathNot: '^libs/emails/' },
      to: { path: '^libs/emails/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased-workspace'] },
    },
    {
      name: 'library-knows-not-its-name',
      comment: 'Within the package its name leads to what was built, past all rules.',
      severity: 'error',
      from: { path: '^libs/emails/src/' },
      to: { path: '^libs/emails/dist/' },
    },
    {
      name: 'dashboard-by-its-door',
      comment: "The dashboard is imported as 'nestjs-emails-dashboard'.",
      severity: 'error',
      from: { pathNot: '^libs/dashboard/' },
      to: { path: '^libs/dashboard/', pathNot: '^libs/dashboard/dist/index\\.(d\\.ts|js)$' },
    },
    {
      name: 'dashboard-by-its-name',
      comment: 'A path to the door is not its name: strangers have no such path.',
      severity: 'error',
      from: { pathNot: '^libs/dashboard/' },
      to: { path: '^libs/dashboard/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased-workspace'] },
    },
    {
      name: 'library-knows-no-dashboard',
      comment: 'Who wants no page brings none.',
      severity: 'error',
      from: { path: '^libs/emails/' },
      to: { path: '^libs/dashboard/' },
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
