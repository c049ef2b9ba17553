/**
 * The import rules as data. Every file of ours belongs to the first layer whose pattern it matches; a
 * layer may import itself, the layers in `ours`, and packages: `only` these, or any but `never`.
 */
export type Layer = {
  name: string;
  files: RegExp;
  ours: string[];
  only?: string[];
  never?: string[];
};

const BROWSER = [
  'react',
  'react-dom',
  'react-router',
  '@react-router/node',
  'lucide-react',
  'qrcode.react',
  '@simplewebauthn/browser',
];
const DATABASE = ['kysely', 'pg'];

const LAYERS: Layer[] = [
  { name: 'app/env.ts', files: /^app\/env\.ts$/, ours: [], only: ['zod'] },
  { name: 'app/log.ts', files: /^app\/log\.ts$/, ours: ['app/env.ts'], only: ['pino'] },
  {
    name: 'app/metrics.ts',
    files: /^app\/metrics\.ts$/,
    ours: ['app/domain', 'app/env.ts'],
    only: ['prom-client', 'node:*'],
  },
  { name: 'app/db/clock.ts', files: /^app\/db\/clock\.ts$/, ours: ['app/db/client.ts'], only: ['kysely'] },
  {
    name: 'app/db/client.ts',
    files: /^app\/db\/client\.ts$/,
    ours: ['app/db', 'app/env.ts'],
    only: ['kysely', 'pg', 'node:*'],
  },
  {
    name: 'app/db',
    files: /^app\/db\//,
    ours: ['app/db/client.ts', 'app/env.ts'],
    only: ['kysely', 'pg', 'node:*'],
  },
  {
    name: 'app/integrations/**/little-text.ts',
    files: /^app\/integrations\/.+\/little-text\.ts$/,
    ours: [],
    only: [],
  },
  {
    name: 'app/integrations',
    files: /^app\/integrations\//,
    ours: ['app/integrations/**/little-text.ts', 'app/env.ts'],
    only: ['zod', 'node:*', 'nodemailer', 'openai', 'undici', 'ipaddr.js', 'jose'],
  },
  { name: 'app/**/limits.ts', files: /^app\/(?:domain|http)\/(?:.+\/)?limits\.ts$/, ours: [], only: [] },
  {
    name: 'app/domain/**/schema.ts',
    files: /^app\/domain\/(?:.+\/)?(?:input-)?schema\.ts$/,
    ours: ['app/**/limits.ts'],
    only: ['zod'],
  },
  {
    name: 'app/domain/**/predicates.ts',
    files: /^app\/domain\/.+\/predicates\.ts$/,
    ours: ['app/db/clock.ts'],
    only: ['kysely'],
  },
  {
    name: 'app/domain',
    files: /^app\/domain\//,
    ours: [
      'app/domain/**/predicates.ts',
      'app/**/limits.ts',
      'app/domain/**/schema.ts',
      'app/db/client.ts',
      'app/db/clock.ts',
      'app/db',
      'app/integrations',
      'app/integrations/**/little-text.ts',
      'app/env.ts',
    ],
    never: [...BROWSER, '@conform-to/react', '@conform-to/zod', 'graphile-worker'],
  },
  {
    name: 'app/http',
    files: /^app\/http\//,
    ours: [
      'app/context.ts',
      'app/domain',
      'app/**/limits.ts',
      'app/domain/**/schema.ts',
      'app/db/client.ts',
      'app/integrations',
      'app/env.ts',
      'app/log.ts',
      'app/metrics.ts',
    ],
    never: [...DATABASE, 'graphile-worker'],
  },
  {
    name: 'app/ui',
    files: /^app\/ui\//,
    ours: ['app/**/limits.ts'],
    only: [
      'react',
      'react-router',
      '@conform-to/react',
      'qrcode.react',
      'react-dom',
      'lucide-react',
      '@simplewebauthn/browser',
    ],
  },
  {
    name: 'app/routes',
    files: /^app\/routes\//,
    ours: [
      'app/context.ts',
      'app/http',
      'app/ui',
      'app/domain',
      'app/**/limits.ts',
      'app/domain/**/schema.ts',
      'app/db/client.ts',
      'app/integrations/**/little-text.ts',
      'app/metrics.ts',
    ],
    never: [...DATABASE, 'graphile-worker'],
  },
  { name: 'app/context.ts', files: /^app\/context\.ts$/, ours: ['app/domain'], only: ['react-router'] },
  {
    name: 'app/*',
    files: /^app\/[^/]+$/,
    ours: [
      'app/context.ts',
      'app/http',
      'app/ui',
      'app/domain',
      'app/db/client.ts',
      'app/env.ts',
      'app/log.ts',
      'app/metrics.ts',
    ],
    never: [...DATABASE, 'graphile-worker'],
  },
  {
    name: 'worker',
    files: /^worker\//,
    ours: [
      'app/domain',
      'app/**/limits.ts',
      'app/domain/**/schema.ts',
      'app/db/client.ts',
      'app/db/clock.ts',
      'app/db',
      'app/env.ts',
      'app/log.ts',
      'app/metrics.ts',
    ],
    never: [...BROWSER, '@conform-to/react', '@conform-to/zod'],
  },
  { name: 'server.ts', files: /^server\.ts$/, ours: [], only: ['morgan', 'node:*'] },
  { name: 'sandbox', files: /^sandbox\//, ours: [], never: [] },
];

/** May import everything, sandbox included. */
export const UNBOUND = ['scripts', 'tests', 'bench'];

/** Features of app/routes whose parts another shows on its own pages: the feature, and those that it shows parts of. */
export const SHOWS_PARTS_OF: Record<string, string[]> = {
  account: ['auth'],
  dashboard: ['account', 'payments', 'posts', 'topics', 'voice'],
  help: ['feedback'],
  landing: ['api', 'help'],
  layouts: ['help', 'payments'],
  linkedin: ['layouts'],
  posts: ['topics'],
  topics: ['voice'],
};

export const BANNED_FOLDERS = ['utils', 'lib', 'helpers', 'common', 'misc', 'services'];

export function layerOf(file: string): Layer | undefined {
  return LAYERS.find((layer) => layer.files.test(file));
}

const code = (names: string[]) => names.map((name) => `\`${name}\``).join(', ');

/** The table as ARCHITECTURE.md prints it. */
export function printTable(): string {
  const rows = LAYERS.map(({ name, ours, only, never }) => {
    const packages = only ? code(only) || 'none' : never?.length ? `any but ${code(never)}` : 'any';
    return `| \`${name}\` | ${code(ours) || 'nothing'} | ${packages} |`;
  });
  return ['| files | may import of ours | packages |', '|---|---|---|', ...rows].join('\n');
}
