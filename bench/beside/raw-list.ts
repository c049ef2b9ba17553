/** Baseline for a list of the API: the newest posts of the session's user as JSON, by node:http and pg alone. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

const [port, limit] = process.argv.slice(2).map(Number);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const QUERY = `
  select posts.id, content, hashtags, posts.image_url, alt_text, slot_date, slot_number, publish_at, posts.created_at,
    edited_at, topic_id, topics.name as topic_name, visibility, post_schedules.status, post_schedules.failure, posted_at, network_urn
  from posts join post_schedules on post_schedules.post_id = posts.id left join topics on topics.id = posts.topic_id
  where posts.user_id = (select user_id from sessions where token_hash = $1) and posts.deleted_at is null
  order by posts.created_at desc, posts.id desc limit $2`;

createServer(async (request, response) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  const hash = createHash('sha256').update(token).digest('base64url');
  const { rows } = await pool.query({ name: 'list', text: QUERY, values: [hash, limit] });
  const body = JSON.stringify({ posts: rows });
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}).listen(port, '127.0.0.1', () => console.log('raw list ready'));

process.on('disconnect', () => process.exit());
