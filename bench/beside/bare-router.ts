/** Baseline: a React Router page of a given size, rendered to a string, without a database. */
import { createServer } from 'node:http';
import { createRequestListener } from '@react-router/node';
import { createElement, Fragment } from 'react';
import { renderToString } from 'react-dom/server';
import {
  type EntryContext,
  Outlet,
  Scripts,
  type ServerBuild,
  ServerRouter,
  useLoaderData,
} from 'react-router';

const [port, bytes] = process.argv.slice(2).map(Number);
const LINE = 'A plan that fits on a postcard gets read, and one that does not is an inventory of wishes.';
/** Each line is sent twice, in the page and in its data; 32 bytes are the markup around both. */
const lines = Array.from(
  { length: Math.round((bytes ?? 0) / (2 * LINE.length + 32)) },
  (_, n) => `${LINE} ${n}`,
);

const shell = () =>
  createElement(
    'html',
    { lang: 'en' },
    createElement('head', null, createElement('title', null, 'Bare')),
    createElement('body', null, createElement(Outlet), createElement(Scripts)),
  );

function Page() {
  const data = useLoaderData() as { lines: string[] };
  return createElement(Fragment, null, ...data.lines.map((line, n) => createElement('p', { key: n }, line)));
}

async function handleRequest(request: Request, status: number, headers: Headers, entry: EntryContext) {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  const handoff = entry.serverHandoffStream ? await new Response(entry.serverHandoffStream).text() : '';
  const read = Object.assign(Promise.resolve(), { result: { done: true, value: handoff } });
  entry.serverHandoffStream = new ReadableStream();
  entry.renderMeta = { streamCache: { 0: read } } as unknown as EntryContext['renderMeta'];
  const html = renderToString(createElement(ServerRouter, { context: entry, url: request.url }));
  return new Response(`<!DOCTYPE html>${html}`, { status, headers });
}

const inBrowser = { hasAction: false, hasLoader: true, hasClientAction: false, hasClientLoader: false };
const manifest = { ...inBrowser, hasClientMiddleware: false, hasErrorBoundary: false, imports: [] };
const build = {
  entry: { module: { default: handleRequest } },
  routes: {
    root: { id: 'root', path: '', module: { default: shell } },
    page: { id: 'page', parentId: 'root', index: true, module: { default: Page, loader: () => ({ lines }) } },
  },
  assets: {
    entry: { module: '/entry.js', imports: [] },
    routes: {
      root: { ...manifest, id: 'root', path: '', hasLoader: false, module: '/root.js' },
      page: { ...manifest, id: 'page', parentId: 'root', index: true, module: '/page.js' },
    },
    url: '/manifest.js',
    version: '1',
  },
  publicPath: '/',
  assetsBuildDirectory: 'build/client',
  future: {},
  ssr: true,
  isSpaMode: false,
  prerender: [],
  routeDiscovery: { mode: 'initial', manifestPath: '/manifest' },
} as unknown as ServerBuild;

createServer(createRequestListener({ build, mode: 'production' })).listen(port, '127.0.0.1', () =>
  console.log('bare router ready'),
);

process.on('disconnect', () => process.exit());
