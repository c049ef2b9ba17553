import { html } from '#sandbox/server/html.ts';
import type { State } from '#sandbox/state.ts';
import { layout } from './layout.ts';

export function homePage(state: State): string {
  const postCount = state.posts.size;
  const flagged = [...state.posts.values()].filter((post) => post.violation).length;
  const faultCount = state.faults.length;
  return layout({
    title: 'Home',
    body: html`<h1>The outside world, on this machine</h1>
<p class="lead">This server stands in for LinkedIn, Google, the AI writer and a mail server. What the application sends ends here, in memory, until the server stops.</p>
<div class="tiles"><a class="card tile" href="/feed"><b>${postCount}</b><span>${postCount === 1 ? 'post' : 'posts'} in the feed${flagged ? `, ${flagged} flagged` : ''}</span></a>
<a class="card tile" href="/inbox"><b>${state.mails.length}</b><span>${state.mails.length === 1 ? 'mail' : 'mails'} in the inbox</span></a>
<a class="card tile" href="/faults"><b>${faultCount}</b><span>${faultCount === 1 ? 'fault' : 'faults'} switched on</span></a></div>
<p class="small">LinkedIn asks for consent once for each set of permissions. To be asked again, or to connect somebody else,
<a href="/linkedin/logout">sign out of LinkedIn</a>.</p>`,
  });
}
