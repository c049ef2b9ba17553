import path from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { bareIcons, CHUNKS, fewFiles, iconsByName, UNHEARD } from './scripts/browser-bundle.ts';
import { answerRouter } from './scripts/router-answers.ts';

const SERVER_FOLDERS = /^app\/(domain|db|integrations|http)\/|^app\/env\.ts$/;
const PURE_FILE = /^app\/(?:domain\/[^/]+|http)\/limits\.ts$|^app\/integrations\/little-text\.ts$/;

/** Stops the build when a server folder reaches the browser bundle; only the limits of a feature and the rules of LinkedIn's text format may. */
function refuseServerFolders(): Plugin {
  return {
    name: 'tidepost:refuse-server-folders',
    enforce: 'pre',
    load(id) {
      if (this.environment.name !== 'client') return null;
      const file = path.relative(import.meta.dirname, id.split('?')[0]!).replaceAll(path.sep, '/');
      if (!SERVER_FOLDERS.test(file) || PURE_FILE.test(file)) return null;
      const importers = this.getModuleInfo(id)?.importers.join(', ') || 'an entry';
      return this.error(`${file} belongs to the server, but ${importers} brings it into the browser bundle.`);
    },
  };
}

/** Hundreds of small files each: one by one they take a third of the start of the web, and 13 MB. */
const MANY_FILES = ['@conform-to/zod', 'kysely', 'undici', 'zod', 'zod-openapi'];

/** What is developed loads them as they are: undici cannot be served otherwise. */
const bundleManyFiles = (): Plugin => ({
  name: 'tidepost:bundle-many-files',
  apply: 'build',
  config: () => ({ ssr: { noExternal: MANY_FILES } }),
});

export default defineConfig({
  plugins: [
    refuseServerFolders(),
    answerRouter(),
    iconsByName(),
    bareIcons(),
    fewFiles(),
    bundleManyFiles(),
    tailwindcss(),
    reactRouter(),
  ],
  build: {
    // Older targets make the CSS minifier rewrite light-dark() into a variable trick.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: false,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          treeshake: { manualPureFunctions: UNHEARD },
          output: { codeSplitting: { groups: CHUNKS } },
        },
      },
    },
  },
});
