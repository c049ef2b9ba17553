import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Config } from '@react-router/dev/config';

/** The browser knows every route from the start, but for the API's: no link or form of a page leads there. */
function leaveApiOut(clientFolder: string) {
  const [file] = globSync(path.join(clientFolder, 'assets/manifest-*.js'));
  if (!file) throw new Error('The build has no manifest of its routes.');
  const text = readFileSync(file, 'utf8');
  const json = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  const { routes, ...rest } = JSON.parse(json) as { routes: object };
  const pages = Object.entries(routes).filter(([id]) => !id.startsWith('routes/api/'));
  writeFileSync(
    file,
    text.replace(json, () => JSON.stringify({ ...rest, routes: Object.fromEntries(pages) })),
  );
}

/** Leaves a small form beside scripts and style sheets: see app/http/packed-assets.ts. */
function pack(clientFolder: string) {
  for (const file of globSync(path.join(clientFolder, 'assets/*.{js,css}'))) {
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
}

export default {
  ssr: true,
  routeDiscovery: { mode: 'initial' },
  buildEnd: ({ reactRouterConfig }) => {
    const client = path.join(reactRouterConfig.buildDirectory, 'client');
    leaveApiOut(client);
    pack(client);
  },
  future: {
    v8_middleware: true,
    // What a page does in the browser comes with it: each part in a file of its own would be another request.
    v8_splitRouteModules: false,
    v8_viteEnvironmentApi: true,
    v8_passThroughRequests: true,
    v8_trailingSlashAwareDataRequests: true,
  },
} satisfies Config;
