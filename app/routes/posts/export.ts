import { db } from '#app/db/client.ts';
import { exportPosts } from '#app/domain/posts/lists/csv.ts';
import { download } from '#app/http/download.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/export.ts';

export const loader = (args: Route.LoaderArgs) =>
  download(args, '/app/posts', {
    what: 'posts',
    name: 'tidepost-posts.csv',
    type: 'text/csv; charset=utf-8',
    lines: exportPosts(db(), actorOf(args.context)),
  });
