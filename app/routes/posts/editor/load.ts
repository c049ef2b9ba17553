import type { Db } from '#app/db/client.ts';
import { findAuthor } from '#app/domain/linkedin/author.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import type { PostView } from '#app/domain/posts/present.ts';
import { OPEN_FORMS, type OpenForm } from '#app/routes/posts/params.ts';
import { Editor } from './editor.lazy.ts';

export function openAt({ id, canEdit, status, isTest }: PostView, query: URLSearchParams): OpenForm | null {
  const open = OPEN_FORMS.find((name) => query.get(name) === id) ?? null;
  const isAvailable = open === 'numbers' ? status === 'published' && !isTest : open !== 'edit' || canEdit;
  return isAvailable ? open : null;
}

/** Loads the editor with the page that shows it. Returns the author for its preview; null if no editor is open. */
export async function loadEditor(db: Db, actor: Actor, posts: PostView[], query: URLSearchParams) {
  if (!posts.some((post) => openAt(post, query) === 'edit')) return null;
  await Editor.load();
  return findAuthor(db, actor);
}
