import type { RouteConfigEntry } from '@react-router/dev/routes';
import {
  APPROVAL_VERBS,
  JOB_VERBS,
  LINKEDIN_VERBS,
  POST_CALLS,
  POST_VERBS,
  SECOND_STEP_VERBS,
  TOPIC_VERBS,
  VOICE_VERBS,
} from '#app/routes/actions.ts';
import routes from '#app/routes.ts';

const VERBS: Record<string, readonly string[]> = {
  '/app/posts/:id/:verb': POST_VERBS,
  '/app/topics/:id/:verb': TOPIC_VERBS,
  '/app/voice/:id/:verb': VOICE_VERBS,
  '/app/linkedin/:verb': LINKEDIN_VERBS,
  '/app/account/second-step/:verb': SECOND_STEP_VERBS,
  '/app/admin/operations/jobs/:id/:verb': JOB_VERBS,
  '/approval/:id/:verb': APPROVAL_VERBS,
  '/api/v1/automation/posts/:id/:verb': POST_CALLS,
};

/** Where the forms of each address that ends with a verb are, and which verbs there are. */
function verbsOf(path: string): readonly string[] {
  const verbs = VERBS[path];
  if (!verbs) throw new Error(`${path} ends with a verb, and nothing here says which ones there are`);
  return verbs;
}

const withVerbs = (path: string): string[] =>
  path.endsWith('/:verb') ? verbsOf(path).map((verb) => path.replace(':verb', verb)) : [path];

function pathsBelow(entries: RouteConfigEntry[], above: string): string[] {
  return entries.flatMap(({ path, index, children }) => {
    const here = path ? `${above}/${path}` : above;
    if (children) return pathsBelow(children, here);
    return path || index ? withVerbs(here || '/') : [];
  });
}

/** Every address of the product, with `:name` where a value belongs. */
const ALL = pathsBelow(routes, '');

function shownBelow(entries: RouteConfigEntry[], above: string): string[] {
  return entries.flatMap(({ path, file, children }) => {
    const here = path ? `${above}/${path}` : above;
    return children ? shownBelow(children, here) : path && file.endsWith('.tsx') ? [here] : [];
  });
}

/** The addresses at which a signed-in person sees a page. */
export const SHOWN_PATHS = shownBelow(routes, '').filter((path) => path.startsWith('/app/'));

/** The addresses that end with one of several verbs, with `:verb` in its place. */
export const VERB_PATHS = Object.keys(VERBS);

/** The calls below /api/v1, without that prefix and without the one for everything else. */
export const API_PATHS = ALL.filter((path) => path.startsWith('/api/v1/') && !path.endsWith('*')).map(
  (path) => path.slice('/api/v1'.length),
);

/** The addresses of pages and of the forms on them. */
export const PAGE_PATHS = ALL.filter(
  (path) =>
    !path.startsWith('/api/') &&
    !['/health', '/ready', '/metrics', '/csp-reports', '/mcp'].includes(path) &&
    !path.endsWith('*'),
);

const ANY = '00000000-0000-4000-8000-000000000000';

/** An address with a value in each place, by its name: an id that is nobody's where none is given. */
export const filled = (path: string, values: Record<string, string> = {}): string =>
  path.replace(/:(\w+)/g, (_, name) => values[name] ?? { currency: 'USD' }[name as 'currency'] ?? ANY);

/** Calls of the API that need no token. */
export const PUBLIC = [
  '/auth/signup',
  '/auth/login',
  '/auth/verify-otp',
  '/auth/resend-otp',
  '/auth/verify-email/:token',
  '/auth/google',
  '/auth/linkedin',
  '/auth/forgot-password',
  '/auth/reset-password',
  '/support/submit',
  '/public/top-posts',
  '/visits/track',
  '/email-tracking/click',
  '/openapi.json',
];
