/**
 * What keeps the browser's scripts few and small. Each plugin ends the build when the package it changes is not
 * as it expects, so that an upgrade is looked at.
 */
import path from 'node:path';
import type { Plugin } from 'vite';

const isClient = ({ name }: { name: string }) => name === 'client';

const ICON =
  /const __iconData = \{[^[]*node: (\[[\s\S]*?\])(?:,\s*aliases: \[[^\]]*\])?\s*\};\s*__iconData\.node;/;

type Drawing = [tag: string, attributes: Record<string, string>][];

/** The drawing of an icon, a literal of its package, as the markup that it comes to. */
function markupOf(literal: string): string {
  const drawing: Drawing = JSON.parse(
    literal.replace(/(\w+|"[\w-]+"):/g, (_, name) => `"${name.replaceAll('"', '')}":`),
  );
  const attributes = ({ key: _, ...all }: Drawing[number][1]) =>
    Object.entries(all).map(([name, value]) => ` ${name}="${value}"`);
  return drawing.map(([tag, all]) => `<${tag}${attributes(all).join('')}/>`).join('');
}

const INDEX_IMPORT = /^import \{([^}]*)\} from 'lucide-react';$/gm;

/** `CircleAlert` stands in `circle-alert.mjs`. */
const fileOf = (icon: string) => icon.replace(/([a-z])(?=[A-Z\d])|(\d)(?=[A-Z])/g, '$&-').toLowerCase();

/**
 * Takes each icon from its own file. Through Lucide's index every page would depend on the icons of all, and the first
 * load would bring them.
 */
export function iconsByName(): Plugin {
  return {
    name: 'tidepost:icons-by-name',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      if (!/\/app\/[^?]+\.tsx?$/.test(id) || !code.includes("'lucide-react'")) return null;
      return code.replace(INDEX_IMPORT, (_, list: string) =>
        list
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type '))
          .map((name) => `import ${name} from 'lucide-react/dist/esm/icons/${fileOf(name)}.mjs';`)
          .join(' '),
      );
    },
  };
}

/** An icon of Lucide's brings its drawing only: `app/ui/icon.ts` makes the svg around it, in all pages alike. */
export function bareIcons(): Plugin {
  const factory = path.join(import.meta.dirname, '../app/ui/icon.ts');
  return {
    name: 'tidepost:bare-icons',
    enforce: 'pre',
    apply: 'build',
    config: () => ({ ssr: { noExternal: ['lucide-react'] } }),
    resolveId(source, importer) {
      return source === '../createLucideIcon.mjs' && importer?.includes('/lucide-react/') ? factory : null;
    },
    transform(code, id) {
      if (!/\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/.test(id) || !code.includes('__iconData'))
        return null;
      if (!ICON.test(code)) this.error(`${id} draws its icon in a way that is not known.`);
      return code.replace(ICON, (_, drawing) => `const __iconData = ${JSON.stringify(markupOf(drawing))};`);
    },
  };
}

/**
 * Entries may carry what others share, so that none needs a second file. What is fetched on demand is just
 * fetched: all styles are in the page's own sheets, and no list of files to preload goes with it.
 */
export function fewFiles(): Plugin {
  return {
    name: 'tidepost:few-files',
    enforce: 'pre',
    apply: 'build',
    applyToEnvironment: isClient,
    options: (options) => ({ ...options, preserveEntrySignatures: 'allow-extension' }),
    load(id) {
      return id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null;
    },
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || !chunk.isDynamicEntry || !chunk.viteMetadata?.importedCss.size)
          continue;
        this.error(`${chunk.fileName} is fetched on demand, without the styles it imports.`);
      }
    },
  };
}

type Graph = { getModuleInfo(id: string): { importers: readonly string[] } | null };

const FIRST_LOAD = /\/app\/(?:root|routes\/app-layout|routes\/dashboard\/dashboard)\.tsx/;

/** Whether a module is needed for the dashboard's first load, by way of those that import it. */
function isNeededFirst(id: string, graph: Graph, seen = new Set<string>()): boolean {
  if (FIRST_LOAD.test(id)) return true;
  seen.add(id);
  const importers = graph.getModuleInfo(id)?.importers ?? [];
  return importers.some((importer) => !seen.has(importer) && isNeededFirst(importer, graph, seen));
}

/**
 * What every signed-in page loads, in two files: each of many small ones would be another request. The second
 * holds the shared parts the dashboard needs, and its icons.
 */
export const CHUNKS = [
  {
    name: 'framework',
    test: /rolldown\/runtime|vite\/preload-helper|\/app\/entry\.client|node_modules\/(?:react|react-dom|react-router|scheduler)\//,
  },
  {
    test: /\/app\/(?:root\.tsx|ui\/|domain\/|integrations\/|routes\/(?:[\w-]+\.ts$|help-(?:button|words)|posts\/slot-rows))|\/lucide-react\/dist\/esm\/icons\//,
    name: (id: string, graph: Graph) => (isNeededFirst(id, graph) ? 'root' : null),
  },
  {
    // Small things that several of the other pages show; a form brings conform, and the visitors' pages a frame.
    name: 'parts',
    test: /\/app\/(?:ui\/(?!form|field|otp-|auth-|tide-)|domain\/|integrations\/|routes\/[\w-]+\.ts$)|\/lucide-react\/dist\/esm\/icons\/(?!eye)/,
    minShareCount: 2,
  },
  {
    // Conform and the fields of forms.
    name: 'form',
    test: /node_modules\/@conform-to\/|\/app\/ui\/(?:form|field|error-text|typed)/,
    minShareCount: 2,
  },
  {
    // What visitors see around their forms, and what several of the account's pages have.
    name: 'visitors',
    test: /\/app\/(?:ui\/auth-|routes\/accounts\/[\w-]+\.tsx?$)/,
    minShareCount: 2,
  },
  {
    name: 'account',
    test: /\/app\/routes\/account\/(?!account-page)[\w-]+\.tsx?$/,
    minShareCount: 2,
  },
  {
    // What the queue and the history share.
    name: 'posts',
    test: /\/app\/routes\/posts\//,
    minShareCount: 2,
  },
  {
    // The tabs of admins, and what two of their pages show.
    name: 'desk',
    test: /\/app\/routes\/admin\/[\w-]+\.tsx?$/,
    minShareCount: 2,
  },
  {
    // What the pages to sign in and sign up share: their frame, and the buttons of providers.
    name: 'visitor',
    test: /\/app\/(?:ui\/auth-layout|routes\/accounts\/(?:social-buttons|time-zone-input))/,
    minShareCount: 2,
  },
];

/** Calls that only speak to developers. */
export const UNHEARD = ['warning', 'warnOnce'];
