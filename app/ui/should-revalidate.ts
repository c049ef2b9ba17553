import type { ShouldRevalidateFunctionArgs } from 'react-router';

const isSent = (method?: string) => method !== undefined && method.toUpperCase() !== 'GET';

/** For what a route knows whatever the question mark of its address asks: a dialog of such a page opens at once. */
export const ignoreSearch = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) =>
  (isSent(formMethod) || currentUrl.pathname !== nextUrl.pathname || currentUrl.search === nextUrl.search) &&
  defaultShouldRevalidate;

const without = (names: string[], { pathname, searchParams }: URL) =>
  `${pathname}?${[...searchParams].filter(([name]) => !names.includes(name))}`;

/** For a page that shows these dialogs with what it has: to open and close them nobody is asked. */
export const ignoreDialogParams =
  (...names: string[]) =>
  ({ currentUrl, nextUrl, formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
    (isSent(formMethod) ||
      currentUrl.search === nextUrl.search ||
      without(names, currentUrl) !== without(names, nextUrl)) &&
    defaultShouldRevalidate;
