/** Baseline for a signed-in list: a user's posts as JSON, by node:http and pg alone, with one query for each request. */
import { createServer } from 'node:http';
import pg from 'pg';

const [port, userId, limit] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
/** The database cuts the previews, as for a page. */
const QUERY = `
  select posts.id, left(content, 160) as preview, publish_at, image_url, status, post_schedules.failure, topics.name as topic
  from post_schedules join posts on posts.id = post_schedules.post_id left join topics on topics.id = posts.topic_id
  where post_schedules.user_id = $1 and post_schedules.deleted_at is null and status in ('generated', 'pending')
  order by publish_at, posts.id limit $2`;

createServer(async (_, response) => {
  const { rows } = await pool.query({ name: 'list', text: QUERY, values: [userId, limit] });
  const body = JSON.stringify(rows);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}).listen(Number(port), '127.0.0.1', () => console.log('raw posts ready'));

process.on('disconnect', () => process.exit());
