import { type LoaderFunctionArgs, redirect } from 'react-router';

/** Unknown addresses lead to the start page; a file that is gone must not look like one. */
export function loader({ request }: LoaderFunctionArgs) {
  if (!new URL(request.url).pathname.startsWith('/assets/')) return redirect('/');
  return new Response('There is no such file\n', {
    status: 404,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}

export const action = () => redirect('/');
