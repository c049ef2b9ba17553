import { useEffect, useRef, useState } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { useNoteAddress } from '#app/ui/form/failure/use-failure-message.ts';
import type { ChooseData } from './load.ts';

/** What a form says, as the address of a page. */
const asked = (form: HTMLFormElement) =>
  new URLSearchParams(new FormData(form) as unknown as Record<string, string>);

/** How many posts are on their way to be shown, in this currency. */
function countComing(search: string | undefined, { choice, options }: ChooseData): number | undefined {
  const coming = new URLSearchParams(search);
  if (coming.get('currency') !== choice.currencyCode) return undefined;
  return options.find(({ count }) => String(count) === coming.get('posts'))?.count;
}

/** Shows the prices of each choice as it is made: how many posts at once, all else when the server has said it. */
export function useShownChoice(data: ChooseData, page: string) {
  const { choice, isUpgrade } = data;
  const around = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const { location: next } = useNavigation();
  const [errors, setErrors] = useState<string[]>([]);
  const note = useNoteAddress({ failure: 'Failed to load pricing' }, (sentence) => setErrors([sentence]));
  const startShown = useRef(choice.start);
  const formOf = () => around.current!.closest('form')!;

  const show = (change: Record<string, string> = {}) => {
    const wanted = asked(formOf());
    for (const [name, value] of Object.entries(change)) wanted.set(name, value);
    const to = `${page}?${wanted}`;
    setErrors([]);
    if (note(new URL(to, location.href))) void navigate(to, { replace: true, preventScrollReset: true });
  };

  // What was chosen before scripts came made no event; the prices still have to follow it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was chosen before the first look counts.
  useEffect(() => {
    const chosen = asked(formOf());
    const isStart = !isUpgrade || chosen.get('start') === choice.start;
    if (chosen.get('currency') !== choice.currencyCode || !isStart) show();
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another start of the server's is another.
  useEffect(() => {
    const { start } = choice;
    const radios = formOf().querySelectorAll<HTMLInputElement>('[name=start]');
    // Each by itself, so that React, too, knows of each.
    if (startShown.current !== start) for (const radio of radios) radio.checked = radio.value === start;
    startShown.current = start;
  }, [choice.start]);

  const count = countComing(next?.search, data) ?? choice.postsPerDay;
  const choose = (posts: number) => show({ posts: String(posts) });
  return { around, count, choose, follow: () => show(), errors };
}
