import { type Html, html } from '#sandbox/server/html.ts';
import type { Post, State } from '#sandbox/state.ts';
import { avatar, layout, timeAgo } from './layout.ts';

function withTags(text: string): Html[] {
  return text
    .split(/(#[\p{L}\p{N}]+)/u)
    .map((part, index) => (index % 2 === 1 ? html`<span class="tag">${part}</span>` : html`${part}`));
}

function card(state: State, post: Post) {
  const image = post.imageUrn ? state.images.get(post.imageUrn) : null;
  const id = post.imageUrn?.split(':').at(-1) ?? '';
  return html`<article class="card post"><div class="row">${avatar(post.name)}<div>
<div class="name">${post.name}</div><div class="small">${post.headline}</div>
<div class="small">${timeAgo(post.at)}${post.editedAt ? ' · Edited' : ''}</div></div></div>
<p class="text">${withTags(post.text)}</p>
${post.parent ? html`<p class="small">Reshares <code>${post.parent}</code></p>` : null}
${post.violation ? html`<p class="flag">Contract violation: ${post.violation}</p>` : null}
${image?.bytes ? html`<img src="/linkedin-media/${id}" alt="${post.altText ?? ''}">` : null}
<div class="foot small"><a href="/linkedin/feed/update/${post.urn}/">Open the post</a><code>${post.urn}</code></div></article>`;
}

export function feedPage(state: State): string {
  const posts = [...state.posts.values()].toReversed();
  const cards = posts.slice(0, 100).map((post) => card(state, post));
  const empty = html`<div class="card empty"><strong>No posts yet</strong>
A post appears here the moment it is published. This page looks again every five seconds.</div>`;
  return layout({
    title: 'Feed',
    path: '/feed',
    refresh: 5,
    body: html`<h1>Feed</h1><p class="lead">What members of the sandbox network would see, newest first.</p>
${posts.length > 0 ? cards : empty}${posts.length > 100 ? html`<p class="small">The newest 100 of ${posts.length} posts.</p>` : null}`,
  });
}

export function postPage(state: State, urn: string): { status: number; page: string } {
  const post = state.posts.get(urn);
  const missing = html`<div class="card empty"><strong>This post cannot be displayed</strong>
It was deleted, or the sandbox was started again since: it keeps its posts in memory only.</div>`;
  const page = layout({
    title: post ? `${post.name} on the network` : 'Post not found',
    body: html`${post ? card(state, post) : missing}<p><a href="/feed">All posts</a></p>`,
  });
  return { status: post ? 200 : 404, page };
}
