import type { Topic } from '#app/domain/topics/topics.ts';

/** What the API shows of each entity. The only place where column names become public names. */
export function topicShape(topic: Topic) {
  const { id, name, description, keywords, tone, isActive, createdAt } = topic;
  return { _id: id, name, description, keywords, tone, active: isActive, createdAt: createdAt.toISOString() };
}
