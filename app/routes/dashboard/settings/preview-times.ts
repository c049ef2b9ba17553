import { db } from '#app/db/client.ts';
import { changeIn, SettingsForm } from '#app/domain/automation/schema.ts';
import { previewSettings } from '#app/domain/automation/settings.ts';
import { POSTS_PER_DAY } from '#app/domain/payments/limits.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/preview-times.ts';
import { type NextTimes, presentNext } from './present.ts';

/** Reads the known fields only, never names that the client sent. */
function readSettings(query: URLSearchParams) {
  const times = POSTS_PER_DAY.flatMap((number) => query.get(`publishTimes[${number - 1}]`) ?? []);
  return SettingsForm.partial().safeParse({
    contentCreationTime: query.get('contentCreationTime') ?? undefined,
    publishTimes: times.length > 0 ? times : undefined,
    publishDays: query.getAll('publishDays'),
    daysOff: query.getAll('daysOff').filter((day) => day !== ''),
    timeZone: query.get('timeZone') ?? undefined,
    begunWith: query.get('begunWith') ?? undefined,
  });
}

/** The next publish times for unsaved settings, or why they are refused. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const none = (sentence: string): NextTimes => ({ times: [], note: `${sentence}.` });
  const read = readSettings(new URL(request.url).searchParams);
  if (!read.success) return Response.json(none(read.error.issues[0]!.message));
  const now = new Date();
  try {
    const settings = await previewSettings(db(), actorOf(context), changeIn(read.data), now);
    return Response.json(presentNext(settings, now));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return Response.json(none(error.message));
  }
}
