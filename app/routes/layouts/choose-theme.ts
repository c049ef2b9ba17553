import { redirect } from 'react-router';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { chooseTheme } from '#app/http/forms/theme-cookie.ts';
import type { Route } from './+types/choose-theme.ts';

export const loader = () => redirect('/');

export const action = ({ request, context }: Route.ActionArgs) =>
  chooseTheme(request, formDataOf(context).get('theme'));
