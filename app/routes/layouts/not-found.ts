import { type LoaderFunctionArgs, redirect } from 'react-router';

/** Unknown URLs lead to the start page. A missing asset must not be answered with a page. */
export function loader({ request }: LoaderFunctionArgs) {
  if (!new URL(request.url).pathname.startsWith('/assets/')) return redirect('/');
  return new Response('There is no such file\n', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}

export const action = () => redirect('/');
