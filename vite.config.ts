import path from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

const SERVER_FOLDERS = /^app\/(domain|db|integrations|http)\/|^app\/env\.ts$/;
const PURE_FILE = /^app\/domain\/[^/]+\/limits\.ts$|^app\/integrations\/little-text\.ts$/;

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

/** React Router's package offers browsers its development build; the other one lies beside it. */
function productionRouter(): Plugin {
  return {
    name: 'tidepost:production-router',
    apply: 'build',
    transform(code, id) {
      if (this.environment.name !== 'client' || !id.includes('react-router/dist/development/')) return null;
      return code.replace('var ENABLE_DEV_WARNINGS = true', 'const ENABLE_DEV_WARNINGS = false');
    },
  };
}

/** What every signed-in page loads comes in few files: each of many small ones would be another request. */
const CHUNKS = [
  { name: 'framework', test: /node_modules\/(?:react|react-dom|react-router|scheduler)\// },
  { name: 'kit', test: /\/app\/ui\/(?!auth-|copy-|dialog|fields?\.|form|tabs|otp-|qr|table|tide-)/ },
];

export default defineConfig({
  plugins: [refuseServerFolders(), productionRouter(), tailwindcss(), reactRouter()],
  build: {
    // Older targets make the CSS minifier rewrite light-dark() into a variable trick.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    manifest: true,
  },
  environments: { client: { build: { rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } } } } },
});
