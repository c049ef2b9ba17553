import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { changedSince, spellTime } from '#app/domain/automation/limits.ts';
import type { Dashboard } from '#app/routes/dashboard/load.ts';

type Settings = Dashboard['settings'];

/** What of the settings stands in their form. */
export const fieldsOf = (settings: Settings) => {
  const { contentCreationTime, publishTimes, publishDays, daysOff, requireApproval, timeZone } = settings;
  return { contentCreationTime, publishTimes, publishDays, daysOff, requireApproval, timeZone };
};

/** What the form holds, as it would be stored. */
function heldIn(form: HTMLFormElement): ReturnType<typeof fieldsOf> {
  const data = new FormData(form);
  const all = (name: string) =>
    [...data].flatMap(([field, value]) => (field.startsWith(name) && value ? spellTime(String(value)) : []));
  return {
    contentCreationTime: all('contentCreationTime').join(),
    publishTimes: all('publishTimes').sort(),
    publishDays: all('publishDays'),
    daysOff: all('daysOff').sort(),
    requireApproval: data.get('requireApproval') === 'on',
    timeZone: all('timeZone').join(),
  };
}

/** Whether it holds something that somebody typed there and that is not stored. */
function holdsTyped(form: HTMLFormElement, settings: Settings): boolean {
  const typed = changedSince(JSON.parse(form.begunWith.value), heldIn(form));
  return Object.keys(changedSince(fieldsOf(settings), typed)).length > 0;
}

/**
 * The settings that their form begins with. It begins anew when others are stored, here or elsewhere; where somebody
 * typed it stays whole, and what they did not touch is not saved over what was set elsewhere.
 */
export function useBegun(settings: Settings, isRefused: boolean, mark: RefObject<HTMLElement | null>) {
  const [begun, begin] = useState(settings);
  const focus = useRef(-1);
  const formNow = () => mark.current!.querySelector('form')!;
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at when others are stored.
  useEffect(() => {
    if (isRefused || holdsTyped(formNow(), settings)) return;
    focus.current = [...formNow().elements].indexOf(document.activeElement!);
    begin(settings);
  }, [JSON.stringify(fieldsOf(settings)), isRefused]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: who stood in the form stays there.
  useLayoutEffect(() => {
    (formNow().elements[focus.current] as HTMLElement | undefined)?.focus({ preventScroll: true });
    focus.current = -1;
  }, [begun]);
  return begun;
}
