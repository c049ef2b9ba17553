import { redirect } from 'react-router';

/** Whether React Router's script sent this form, and not the browser on its own. */
const isSentByScript = ({ headers }: Request) => headers.get('Sec-Fetch-Dest') === 'empty';

/** Redirects back to the card whose form was sent. With scripts the scroll position stays, so no fragment is needed. */
export const redirectToCard = (request: Request, page: string, card: string): Response =>
  redirect(isSentByScript(request) ? page : `${page}#${card}`);

const PATH = /^\/(?!\/)[!-[\]-~]{0,300}$/;

/** The path in this field of a form, or undefined if it is not a path of this site. */
export function returnPathFrom(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value === 'string' && PATH.test(value) ? value : undefined;
}
