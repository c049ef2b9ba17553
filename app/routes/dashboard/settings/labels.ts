import { WEEKDAYS } from '#app/domain/automation/limits.ts';
import { capitalised, spellNumberFirst } from '#app/ui/text.ts';

const list = new Intl.ListFormat('en-GB');
const plural = (day: string) => `${capitalised(day)}s`;

/** "Every day", "Mondays to Fridays", "Every day but Sundays". */
export function daysLabel(chosen: readonly string[]): string {
  const days = WEEKDAYS.filter((day) => chosen.includes(day));
  const [omitted] = WEEKDAYS.filter((day) => !chosen.includes(day));
  if (!omitted) return 'Every day';
  const indexOf = (day: (typeof WEEKDAYS)[number]) => WEEKDAYS.indexOf(day);
  const isRange = days.length > 2 && indexOf(days.at(-1)!) - indexOf(days[0]!) === days.length - 1;
  if (isRange) return `${plural(days[0]!)} to ${plural(days.at(-1)!)}`;
  return days.length === WEEKDAYS.length - 1
    ? `Every day but ${plural(omitted)}`
    : list.format(days.map(plural));
}

type TimetableRules = {
  contentCreationTime: string;
  publishTimes: string[];
  publishDays: readonly string[];
  requireApproval: boolean;
  timeZone: string;
};

export const timesLabel = ({ publishDays, publishTimes, timeZone }: TimetableRules) =>
  `${daysLabel(publishDays)}, ${list.format(publishTimes)}, ${timeZone.replaceAll('_', ' ')}`;

export function writingLabel({ publishTimes, contentCreationTime, requireApproval }: TimetableRules): string {
  const { length } = publishTimes;
  const posts = `${spellNumberFirst(length)} ${length === 1 ? 'post' : 'posts'} a day, written at ${contentCreationTime}`;
  return `${posts} · ${requireApproval ? 'you approve each' : length === 1 ? 'it goes out by itself' : 'they go out by themselves'}`;
}
