import { redirect } from 'react-router';
import { signOut } from '#app/http/session/session.ts';
import { clearAttempt } from '#app/http/session/sign-up-cookie.ts';
import type { Route } from './+types/logout.ts';

export const loader = () => redirect('/');

export const action = async ({ request }: Route.ActionArgs) => clearAttempt(await signOut(request, '/login'));
