import type { ShouldRevalidateFunctionArgs } from 'react-router';

const isSubmission = (method?: string) => method !== undefined && method.toUpperCase() !== 'GET';

/** `shouldRevalidate` of a route whose data does not depend on the query: its dialogs open without a request. */
export const ignoreSearch = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) =>
  (isSubmission(formMethod) ||
    currentUrl.pathname !== nextUrl.pathname ||
    currentUrl.search === nextUrl.search) &&
  defaultShouldRevalidate;

const without = (names: string[], { pathname, searchParams }: URL) =>
  `${pathname}?${[...searchParams].filter(([name]) => !names.includes(name))}`;

/** `shouldRevalidate` of a route whose data does not depend on these query parameters, which open its dialogs. */
export const ignoreDialogParams =
  (...names: string[]) =>
  ({ currentUrl, nextUrl, formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
    (isSubmission(formMethod) ||
      currentUrl.search === nextUrl.search ||
      without(names, currentUrl) !== without(names, nextUrl)) &&
    defaultShouldRevalidate;
