/** The posts that wait, those that want a yes first, and a topic to write about when there is none. */
import { client } from '../src/client.gen.ts';
import { getAutomationScheduled, getTopics, postAutomationTestGenerate, postTopics } from '../src/index.ts';

const { TIDEPOST_URL = 'http://localhost:3000', TIDEPOST_TOKEN = '' } = process.env;
client.setConfig({ baseUrl: `${TIDEPOST_URL}/api/v1`, auth: TIDEPOST_TOKEN, throwOnError: true });

const topics = await getTopics({ throwOnError: true });
if (topics.data.topics.length === 0) {
  const made = await postTopics({
    body: { name: 'Planning for small teams', keywords: ['planning', 'focus'] },
    // Sent again after a lost answer, it is made once.
    headers: { 'Idempotency-Key': 'first-topic' },
    throwOnError: true,
  });
  console.log(`New topic: ${made.data.topic.name}`);
}

const { data } = await getAutomationScheduled({ query: { limit: 20 }, throwOnError: true });
for (const post of data.posts) {
  const when = post.publishAt ? new Date(post.publishAt).toLocaleString() : 'no time yet';
  console.log(
    `${when}  ${post.status === 'pending' ? 'waits for you' : 'goes out'}  ${post.content.slice(0, 60)}`,
  );
}
if (data.posts.length === 0) {
  const { data: begun } = await postAutomationTestGenerate({ body: { count: 1 }, throwOnError: true });
  console.log(`Nothing waits. One is being written: ${begun.run.status}`);
}
