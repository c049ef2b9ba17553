import { WEEKDAYS } from '#app/domain/automation/limits.ts';
import { capitalised, inWordsFirst } from '#app/ui/text.ts';

const list = new Intl.ListFormat('en-GB');
const plural = (day: string) => `${capitalised(day)}s`;

/** "Every day", "Mondays to Fridays", "Every day but Sundays". */
export function daysLabel(chosen: readonly string[]): string {
  const days = WEEKDAYS.filter((day) => chosen.includes(day));
  const [left] = WEEKDAYS.filter((day) => !chosen.includes(day));
  if (!left) return 'Every day';
  const place = (day: (typeof WEEKDAYS)[number]) => WEEKDAYS.indexOf(day);
  const isRow = days.length > 2 && place(days.at(-1)!) - place(days[0]!) === days.length - 1;
  if (isRow) return `${plural(days[0]!)} to ${plural(days.at(-1)!)}`;
  return days.length === WEEKDAYS.length - 1
    ? `Every day but ${plural(left)}`
    : list.format(days.map(plural));
}

type TimetableRules = {
  contentCreationTime: string;
  publishTimes: string[];
  publishDays: readonly string[];
  requireApproval: boolean;
  timeZone: string;
};

/** When posts go out, and by whose clock. */
export const timesLabel = ({ publishDays, publishTimes, timeZone }: TimetableRules) =>
  `${daysLabel(publishDays)}, ${list.format(publishTimes)}, ${timeZone.replaceAll('_', ' ')}`;

/** How many posts are written, when, and whether they go out unasked. */
export function writingLabel({ publishTimes, contentCreationTime, requireApproval }: TimetableRules): string {
  const { length } = publishTimes;
  const posts = `${inWordsFirst(length)} ${length === 1 ? 'post' : 'posts'} a day, written at ${contentCreationTime}`;
  return `${posts} · ${requireApproval ? 'you approve each' : length === 1 ? 'it goes out by itself' : 'they go out by themselves'}`;
}
