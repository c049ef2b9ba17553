import { redirect } from 'react-router';
import { chooseTheme } from '#app/http/chosen-theme.ts';
import type { Route } from './+types/choose-theme.ts';

export const loader = () => redirect('/');

export const action = async ({ request }: Route.ActionArgs) =>
  chooseTheme(request, (await request.formData()).get('theme'));
