import { sendPortrait } from '#sandbox/images/portrait.ts';
import { addFault, removeFault } from '#sandbox/server/faults.ts';
import { html } from '#sandbox/server/html.ts';
import {
  type Exchange,
  readForm,
  redirect,
  sendBytes,
  sendHtml,
  ThrownResponse,
} from '#sandbox/server/http.ts';
import type { State } from '#sandbox/state.ts';
import { faultsPage } from './faults.ts';
import { feedPage, postPage } from './feed.ts';
import { homePage } from './home.ts';
import { inboxPage, mailPage } from './inbox.ts';
import { layout } from './layout.ts';

async function switchFault(state: State, { req, res }: Exchange) {
  const form = await readForm(req);
  const id = form.get('remove');
  try {
    if (id === 'all') state.faults = [];
    else if (id) removeFault(state, Number(id));
    else addFault(state, Object.fromEntries(form));
    redirect(res, '/faults');
  } catch (error) {
    if (!(error instanceof ThrownResponse)) throw error;
    const { error: problem } = error.body as { error: string };
    sendHtml(res, error.status, faultsPage(state, problem, form));
  }
}

function notFound(call: Exchange) {
  const body = html`<div class="card empty"><strong>There is no such page</strong><a href="/">Start page</a></div>`;
  sendHtml(call.res, 404, layout({ title: 'Not found', body }));
}

export async function showPages(state: State, call: Exchange) {
  const { req, res, rawPath } = call;
  if (req.method === 'POST' && rawPath === '/faults') return switchFault(state, call);
  if (req.method !== 'GET' && req.method !== 'HEAD') return notFound(call);
  if (rawPath === '/') return sendHtml(res, 200, homePage(state));
  if (rawPath === '/feed') return sendHtml(res, 200, feedPage(state));
  if (rawPath === '/inbox') return sendHtml(res, 200, inboxPage(state));
  if (rawPath === '/faults') return sendHtml(res, 200, faultsPage(state));
  const [, area, ...rest] = rawPath.split('/');
  if (area === 'inbox' && rest.length === 1)
    return show(call, mailPage(state, rest[0] ?? '', call.url.searchParams.get('theme')));
  const update = /^\/linkedin\/feed\/update\/([^/]+)\/?$/.exec(rawPath);
  if (update) return show(call, postPage(state, decodeURIComponent(update[1] ?? '')));
  if (area === 'linkedin-media' && rest[0] === 'people') return sendPortrait(call, rest[1] ?? '');
  const image = area === 'linkedin-media' ? state.images.get(`urn:li:image:${rest[0]}`) : null;
  if (image?.bytes && image.type) return sendBytes(res, image.bytes, image.type);
  notFound(call);
}

function show({ res }: Exchange, { status, page }: { status: number; page: string }) {
  sendHtml(res, status, page);
}
