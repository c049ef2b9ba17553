import { redirect } from 'react-router';
import { chooseTheme } from '#app/http/chosen-theme.ts';
import { formOf } from '#app/http/read-form.ts';
import type { Route } from './+types/choose-theme.ts';

export const loader = () => redirect('/');

export const action = ({ request, context }: Route.ActionArgs) =>
  chooseTheme(request, formOf(context).get('theme'));
