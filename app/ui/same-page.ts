import type { ShouldRevalidateFunctionArgs } from 'react-router';

/** For what a route knows whatever the question mark of its address asks: a dialog of such a page opens at once. */
export const knowsAll = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) =>
  (formMethod !== undefined ||
    currentUrl.pathname !== nextUrl.pathname ||
    currentUrl.search === nextUrl.search) &&
  defaultShouldRevalidate;
