import path from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

const SERVER_FOLDERS = /^app\/(domain|db|integrations|http)\/|^app\/env\.ts$/;
const PURE_FILE = /^app\/(?:domain|http)\/(?:.+\/)?limits\.ts$|^app\/integrations\/(?:.+\/)?little-text\.ts$/;

/** Fails the build if the browser bundle imports server code, except `limits.ts` files and LinkedIn's text rules. */
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

/** Parts of `app/ui` that few signed-in pages need, so they must not be in the shared chunk. */
const SIGN_IN_PART = /\/app\/ui\/(?:.+\/)?(?:webauthn|auth-layout|otp-input)\./;
const SHARED = /\/app\/(?:ui|domain|integrations)\/|\/lucide-react\//;
const isShared = (id: string) => SHARED.test(id) && !SIGN_IN_PART.test(id);

/** Without these groups, each component or icon that two pages share would be a file and a request of its own. */
const CHUNKS = [
  {
    name: 'framework',
    test: /\/node_modules\/(?:react|react-dom|react-router|scheduler)\//,
  },
  { name: 'shared', test: isShared, minShareCount: 3 },
];

export default defineConfig({
  plugins: [refuseServerFolders(), tailwindcss(), reactRouter()],
  build: {
    // Older targets make the CSS minifier rewrite light-dark() into a variable trick.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
  },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } } } },
  },
});
