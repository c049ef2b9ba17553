import type { Settings } from '#app/domain/automation/settings.ts';
import { instantOf, isPublishDay, localDateOf, slotOf } from '#app/domain/automation/slots.ts';
import type { Stats } from '#app/domain/posts/stats.ts';

export type Task = { key: string; time: string; title: string; state: string; isDone: boolean };

const DAY_OFF: Task = {
  ...{ key: 'day-off', time: '–', isDone: false },
  title: 'No posts go out today',
  state: 'You left this day out',
};

/** What happens on the user's local day, in order of time, with what has happened of it. */
export function planToday(settings: Settings, stats: Stats, now: Date): Task[] {
  const { contentCreationTime, publishTimes, postsPerDay, enabled, timeZone } = settings;
  const today = localDateOf(now, timeZone);
  const stateOf = (isDone: boolean, at: Date, words: { done: string; missed: string }) => {
    if (isDone) return words.done;
    if (!enabled) return 'Paused';
    return at > now ? 'Waiting' : words.missed;
  };
  const written = Math.min(stats.generatedToday, postsPerDay);
  const isWritten = written >= postsPerDay;
  // What goes out after days that were left out was written before them.
  const isEnough = stats.scheduledPosts + stats.publishedToday >= postsPerDay;
  const generation = {
    key: 'generation',
    time: contentCreationTime,
    title: postsPerDay === 1 ? 'Write 1 post' : `Write ${postsPerDay} posts`,
    isDone: isWritten,
    state: stateOf(isWritten, instantOf(today, contentCreationTime, timeZone), {
      done: 'Done',
      missed: isEnough ? 'Written before' : `${written} of ${postsPerDay} written`,
    }),
  };
  if (!isPublishDay(today, settings)) return [generation, DAY_OFF];
  const slots = publishTimes.map((time, index) => {
    const isDone = stats.publishedToday > index;
    const words = { done: 'Published', missed: 'Nothing went out' };
    return {
      key: `slot-${index + 1}`,
      time,
      title: `Publish post ${index + 1}`,
      isDone,
      state: stateOf(isDone, slotOf(today, index + 1, settings)!.at, words),
    };
  });
  return [generation, ...slots].sort((a, b) => a.time.localeCompare(b.time));
}
