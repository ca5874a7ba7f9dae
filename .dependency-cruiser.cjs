const LIB = '^libs/emails/src';
const CORE = `${LIB}/emails`;
const SHARED = `${LIB}/shared/`;
/** The other modules of the package, each a subpath of it. */
const FEATURES = ['access', 'audience', 'domains', 'feedback', 'templates', 'webhooks'];

/** The tables that `nestjs-emails/facts` exports. */
const TABLES = [
  'shared/limits',
  '[a-z]+/limits',
  'shared/actions/action-names',
  'shared/alarms/alarm-codes',
  'shared/callers/page-roles',
  'shared/errors/api-errors',
  'emails/states/email-states',
  'emails/states/reason-codes',
  'emails/states/report-sources',
  'emails/states/reported-kinds',
  'domains/records/advice',
  'emails/read/metrics/metrics',
  'webhooks/endpoints/event-types',
].map((path) => `${LIB}/${path}\\.ts$`);

/** A path inside one of these folders of the core. */
const inside = (...rooms) => `${CORE}/(${rooms.join('|')})/`;

/** A path in the core outside of these folders; limits are common to all. */
const outside = (...rooms) => ({ path: `${CORE}/`, pathNot: `${inside(...rooms)}|${CORE}/limits\\.ts$` });

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const layers = [
  {
    name: 'shared-knows-no-emails',
    comment: 'shared/ is the lowest layer: every feature may import it, and it imports none of them.',
    from: { path: SHARED },
    to: { path: `${LIB}/`, pathNot: SHARED },
  },
  {
    name: 'states-are-leaves',
    comment: 'Every folder imports the states of an email, so they import no other folder.',
    from: { path: inside('states') },
    to: outside('states'),
  },
  {
    name: 'ports-are-leaves',
    comment: 'Every folder imports the ports, so they import no other folder.',
    from: { path: inside('ports') },
    to: outside('ports', 'states'),
  },
  {
    name: 'observation-knows-ports',
    comment: "The host's listeners and observers are notified from every folder.",
    from: { path: inside('observation') },
    to: outside('observation', 'ports', 'states'),
  },
  {
    name: 'storage-knows-ports',
    comment: 'All SQL of the core is in storage, which does not import its callers.',
    from: { path: inside('storage') },
    to: outside('storage', 'ports', 'states'),
  },
  {
    name: 'outbox-knows-storage',
    comment: 'The hand-over of events gets them from the rows, not from the code that records them.',
    from: { path: inside('outbox') },
    to: outside('outbox', 'storage', 'ports', 'states'),
  },
  {
    name: 'queue-is-a-leaf',
    comment: 'The queue is a wake-up: send and deliver both import it, and it imports neither.',
    from: { path: inside('queue') },
    to: outside('queue', 'ports', 'states'),
  },
  {
    name: 'transports-know-ports',
    comment: 'A transport gets a message and returns its outcome.',
    from: { path: inside('transports') },
    to: outside('transports', 'ports', 'states'),
  },
  {
    name: 'message-is-made-of-rows',
    comment: 'From email to MIME, independent of the caller and the destination.',
    from: { path: inside('message') },
    to: outside('message', 'storage', 'ports', 'states'),
  },
  {
    name: 'housekeeping-knows-storage',
    from: { path: inside('housekeeping') },
    to: outside('housekeeping', 'storage', 'ports', 'states'),
  },
  {
    name: 'alarms-know-storage',
    comment: 'Alarms are found in rows, and the host is notified through its port.',
    from: { path: inside('alarms') },
    to: outside('alarms', 'storage', 'ports', 'states'),
  },
  {
    name: 'send-stands-alone',
    comment: 'Accepted emails reach delivery through PostgreSQL and the queue, never by a call.',
    from: { path: inside('send') },
    to: outside('send', 'storage', 'queue', 'observation', 'ports', 'states'),
  },
  {
    name: 'read-reads',
    comment: 'Reading changes and creates nothing; message/ makes the wire format of an email for it.',
    from: { path: inside('read') },
    to: outside('read', 'message', 'storage', 'queue', 'ports', 'states'),
  },
  {
    name: 'change-moves-rows',
    comment: 'A change reaches delivery through the rows and the queue; it imports the parsing of times from send.',
    from: { path: inside('change') },
    to: outside('change', 'send/request', 'storage', 'queue', 'observation', 'ports', 'states'),
  },
  {
    name: 'actions-repeat-operations',
    comment: 'An action on many emails calls the services of the operations on one.',
    from: { path: inside('actions') },
    to: outside('actions', 'change', 'send', 'read', 'storage', 'ports', 'states'),
  },
  {
    name: 'deliver-stands-alone',
    comment: 'Delivery knows rows, not requests.',
    from: { path: inside('deliver') },
    to: outside('deliver', 'message', 'transports', 'storage', 'queue', 'observation', 'ports', 'states'),
  },
  {
    name: 'http-only-translates',
    comment: 'Controllers call send, read and change, and not rows, queues and SMTP.',
    from: { path: inside('http') },
    to: {
      path: `${CORE}/`,
      pathNot: `${CORE}/((http|send|read|change|actions|ports|states)/|emails\\.(options|tokens)\\.ts$|limits\\.ts$)`,
    },
  },
  {
    name: 'nobody-imports-http',
    comment: 'HTTP is one entry, and EmailsService another. The module has both.',
    from: { path: `${CORE}/`, pathNot: `${CORE}/(http/|emails\\.module\\.ts$)` },
    to: { path: inside('http') },
  },
  {
    name: 'module-is-the-top',
    comment: 'emails.module.ts composes the folders, so no folder may import it; index.ts is for outsiders.',
    from: { path: `${LIB}/(emails/.+|shared|testing)/` },
    to: { path: `${LIB}/(emails/emails\\.module|index|testing/index)\\.ts$` },
  },
  {
    name: 'core-knows-no-feature',
    comment: 'The core works without features, which it calls through its ports.',
    from: { path: `${LIB}/(emails|shared|testing|index\\.ts$)` },
    to: { path: `${LIB}/(${FEATURES.join('|')})/` },
  },
  ...FEATURES.map((feature) => ({
    name: `${feature}-by-doors`,
    comment: "A feature imports the core's index and shared/, and no other feature: a host may use it alone.",
    from: { path: `${LIB}/${feature}/` },
    to: { path: `${LIB}/`, pathNot: `${LIB}/(${feature}/|shared/|index\\.ts$)` },
  })),
  {
    name: 'feature-borrows-types',
    comment: "The core's index loads a queue and SMTP, which one feature does not need. Common code is in shared/.",
    from: { path: `${LIB}/(${FEATURES.join('|')})/`, pathNot: '\\.spec\\.ts$' },
    to: { path: `${LIB}/index\\.ts$`, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'library-folder-is-known',
    comment: 'A file outside of the folders of these rules could bypass them, so it may import nothing.',
    from: {
      path: `${LIB}/`,
      pathNot: `${LIB}/((emails|shared|testing|facts|${FEATURES.join('|')})/|index\\.ts$|folder\\.c?ts$)`,
    },
    to: {},
  },
  {
    name: 'door-of-the-core',
    comment: 'This index exports the core and its shared code; features have their own.',
    from: { path: `${LIB}/index\\.ts$` },
    to: { path: `${LIB}/`, pathNot: `${LIB}/(emails|shared)/` },
  },
  {
    name: 'feature-is-the-top-of-itself',
    comment: 'A module composes its folder, so nothing in it may import the module; its index.ts is for outsiders.',
    from: { path: `${LIB}/(${FEATURES.join('|')})/`, pathNot: '/(index|[a-z]+\\.module\\.spec)\\.ts$' },
    to: { path: `${LIB}/(${FEATURES.join('|')})/([a-z]+\\.module|index)\\.ts$` },
  },
  {
    name: 'facts-are-tables',
    comment: 'A browser loads them, so they are tables that import only tables.',
    from: { path: `${LIB}/facts/`, pathNot: '\\.spec\\.ts$' },
    to: { pathNot: TABLES },
  },
  {
    name: 'tables-know-tables',
    comment: 'Code that a browser loads imports nothing of Node.',
    from: { path: TABLES },
    to: { pathNot: TABLES },
  },
  {
    name: 'nobody-imports-facts',
    comment: 'It is for outsiders: within the package each table is imported from its own file.',
    from: { path: `${LIB}/`, pathNot: `${LIB}/facts/` },
    to: { path: `${LIB}/facts/` },
  },
  {
    name: 'testing-knows-no-http',
    comment:
      'The testing module has the rules and no routes: policies, schedule and settlements of deliver/ too; the contract of message ' +
      'stages runs them as delivery does.',
    from: { path: `${LIB}/testing/` },
    to: {
      path: inside('http', 'deliver', 'message', 'transports', 'read'),
      pathNot:
        'emails-health\\.indicator|message/message-(stages|builder)|deliver/(recipient-policies|retry-schedule|settlement)\\.ts',
    },
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

/** npm packages that the page may import, and that visitors therefore load. */
const OF_PAGE = ['lucide-react', 'react', 'react-dom', '@tanstack/react-(query|virtual)', 'wouter', 'd3-(scale|shape)'];

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const dashboardLayers = [
  {
    name: 'server-knows-no-page',
    comment: 'The page is built separately, and its server uses only the built files.',
    from: { path: `${DASHBOARD}/` },
    to: { path: '^libs/dashboard/(page|dist)/', pathNot: 'dist/folder\\.' },
  },
  {
    name: 'page-is-of-the-browser',
    comment: 'It imports types and tables of the API, and neither Node nor its server. OF_PAGE lists its packages.',
    from: { path: `${PAGE}/`, pathNot: '\\.spec\\.ts$' },
    to: {
      pathNot: [
        `${PAGE}/`,
        `${DASHBOARD}/(screens|inbox/(inbox-search|inbox-signatures|html-support|remote-images)|(operations|status)/dashboard-(operations|status))\\.ts$`,
        '^libs/emails/dist/facts/',
        `^node_modules/(@types/)?(${OF_PAGE.join('|')})/`,
      ],
    },
  },
  ...Object.entries(PAGE_FLOORS).map(([folder, below]) => ({
    name: `page-${folder}`,
    comment: `What ${folder} may import is listed in PAGE_FLOORS; files beside main.tsx compose, and nobody imports them.`,
    from: { path: `${PAGE}/${folder}/` },
    to: { path: `${PAGE}/`, pathNot: `${PAGE}/(${[folder, ...below].join('|')})/` },
  })),
  {
    name: 'page-folder-has-a-floor',
    comment: 'A folder that is missing in PAGE_FLOORS may import nothing of the page, so that it is added there.',
    from: { path: `${PAGE}/[^/]+/`, pathNot: `${PAGE}/(${Object.keys(PAGE_FLOORS).join('|')})/` },
    to: { path: `${PAGE}/` },
  },
  {
    name: 'screens-know-no-screen',
    comment: 'Each is a separate chunk. Common code of two screens is in parts.',
    from: { path: `${PAGE}/screens/([^/]+)/` },
    to: { path: `${PAGE}/screens/`, pathNot: `${PAGE}/screens/$1/` },
  },
];

const HOST = '^apps/host/src';

/** The folders of the host, from the ground up: each with the folders below it that it may import. */
const HOST_FLOORS = {
  shared: [],
  features: [],
  redis: ['config'],
  embedded: [],
  openapi: ['features'],
  config: [],
  database: ['shared', 'features'],
  queue: ['redis', 'database'],
  operations: ['shared', 'redis', 'config'],
  dashboard: ['shared', 'embedded', 'config', 'operations', 'bootstrap'],
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
    comment: 'A folder that is missing in HOST_FLOORS may import nothing, so that it is added there.',
    from: { path: `${HOST}/[^/]+/`, pathNot: `${HOST}/(${Object.keys(HOST_FLOORS).join('|')})/` },
    to: {},
  },
  {
    name: 'host-folders-in-no-circle',
    comment: 'Folders within a layer are ordered too.',
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
      comment: 'Type-only imports count, because a circle of types couples designs as well.',
      severity: 'error',
      from: { pathNot: '/recipes/generated/' },
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment:
        'An import that cannot be resolved cannot be checked. Build first: packages resolve to their dist. Three are ' +
        'installed with the hosts in test/hosts alone.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(@nestjs/(platform-fastify|swagger)|class-validator-older)$' },
    },
    ...layers.map((rule) => ({ severity: 'error', ...rule })),
    ...dashboardLayers.map((rule) => ({ severity: 'error', ...rule })),
    ...hostLayers.map((rule) => ({ severity: 'error', ...rule })),
    {
      name: 'library-by-its-door',
      comment:
        "The library is imported as 'nestjs-emails' or one of its subpaths, never by a file in it. Readers of bodies, " +
        'which are compared with class-validator, the roles of routes, and the words of operators are exceptions.',
      severity: 'error',
      from: { pathNot: '^(libs/emails/|test/(dtos/|roles/|feedback/operators\\.spec))' },
      to: {
        path: '^libs/emails/',
        pathNot: `^libs/emails/dist/((${FEATURES.join('|')}|testing|facts)/)?index\\.(d\\.ts|js)$`,
      },
    },
    {
      name: 'library-by-its-name',
      comment: 'Import it by its name, not by a path, which strangers do not have.',
      severity: 'error',
      from: { pathNot: '^(libs/emails/|test/(dtos/|roles/|feedback/operators\\.spec))' },
      to: { path: '^libs/emails/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased-workspace'] },
    },
    {
      name: 'library-knows-not-its-name',
      comment: 'Within the package its name resolves to the build, past all rules.',
      severity: 'error',
      from: { path: '^libs/emails/src/' },
      to: { path: '^libs/emails/dist/', pathNot: 'dist/folder\\.' },
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
      comment: 'Import it by its name, not by a path, which strangers do not have.',
      severity: 'error',
      from: { pathNot: '^libs/dashboard/' },
      to: { path: '^libs/dashboard/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased-workspace'] },
    },
    {
      name: 'library-knows-no-dashboard',
      comment: 'A host without the page does not load it.',
      severity: 'error',
      from: { path: '^libs/emails/' },
      to: { path: '^libs/dashboard/' },
    },
    {
      name: 'library-knows-no-app',
      comment: 'If the library needed the host, no stranger could use it.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|test)/' },
    },
    {
      name: 'app-knows-no-test',
      comment: 'Its unit tests may use the servers of the tests.',
      severity: 'error',
      from: { path: '^apps/' },
      to: { path: '^test/', pathNot: '^test/support/dns/' },
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
