/** Where a link or button of the calendar stands, so that it is found again in a day that was replaced. */
function pathOf(element: Element | null): string | null {
  const entry = element?.closest<HTMLElement>('.cal-entry');
  if (!entry) return null;
  return `${entry.id ? `#${entry.id}` : `[data-slot="${entry.dataset.slot}"]`} > .${element!.className}`;
}

/** Replaces the days that are not as the markup has them. What has the focus keeps it, also in one of these. */
export function renew(calendar: HTMLElement, markup: string): void {
  const next = document.createElement('div');
  next.innerHTML = markup;
  const focused = pathOf(calendar.querySelector(':focus'));
  const [days, coming] = [calendar, next].map((all) => [...all.querySelectorAll('.cal-day')]) as [
    Element[],
    Element[],
  ];
  if (days.length !== coming.length || days[0]?.id !== coming[0]?.id)
    calendar.replaceChildren(...next.childNodes);
  else for (const [n, day] of coming.entries()) if (!day.isEqualNode(days[n]!)) days[n]!.replaceWith(day);
  if (focused && !calendar.querySelector(':focus'))
    calendar.querySelector<HTMLElement>(focused)?.focus({ preventScroll: true });
}
