import type { Settings } from '#app/domain/automation/settings.ts';
import { localDateOf, slotOf } from '#app/domain/automation/slots.ts';
import type { Stats } from '#app/domain/posts/stats.ts';

export type Task = { key: string; time: string; title: string; state: string; isDone: boolean };

/** What happens on the user's local day, in order of time, with what has happened of it. */
export function planToday(settings: Settings, stats: Stats, now: Date): Task[] {
  const { contentCreationTime, publishTimes, postsPerDay, enabled, timeZone } = settings;
  const today = localDateOf(now, timeZone);
  const isAhead = (time: string) => slotOf(today, 1, { publishTimes: [time], timeZone })!.at > now;
  const stateOf = (isDone: boolean, time: string, words: { done: string; missed: string }) => {
    if (isDone) return words.done;
    if (!enabled) return 'Paused';
    return isAhead(time) ? 'Waiting' : words.missed;
  };
  const written = Math.min(stats.generatedToday, postsPerDay);
  const isWritten = written >= postsPerDay;
  const generation = {
    key: 'generation',
    time: contentCreationTime,
    title: postsPerDay === 1 ? 'Write 1 post' : `Write ${postsPerDay} posts`,
    isDone: isWritten,
    state: stateOf(isWritten, contentCreationTime, {
      done: 'Done',
      missed: `${written} of ${postsPerDay} written`,
    }),
  };
  const slots = publishTimes.map((time, index) => {
    const isDone = stats.publishedToday > index;
    const words = { done: 'Published', missed: 'Nothing went out' };
    return {
      key: `slot-${index + 1}`,
      time,
      title: `Publish post ${index + 1}`,
      isDone,
      state: stateOf(isDone, time, words),
    };
  });
  return [generation, ...slots].sort((a, b) => a.time.localeCompare(b.time));
}
