import { formatTime } from '#app/domain/platform/dates.ts';
import type { Wait } from './resend-form.tsx';

const MINUTE_MS = 60_000;

/** Returns null when a code can be sent now. */
export function presentWait(resend: { at: Date; timeZone: string } | null, now: Date): Wait | null {
  if (!resend) return null;
  const { at, timeZone } = resend;
  const minute = formatTime(new Date(Math.ceil(at.getTime() / MINUTE_MS) * MINUTE_MS), timeZone);
  const seconds = Math.ceil((at.getTime() - now.getTime()) / 1000);
  return { seconds, text: `Another code from ${minute} (${timeZone.replaceAll('_', ' ')}).` };
}
