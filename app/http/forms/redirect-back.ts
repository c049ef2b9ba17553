import { redirect } from 'react-router';

/** Whether scripts sent this form; a browser says of a form that it sends by itself that it wants a page. */
const isByScripts = ({ headers }: Request) => headers.get('Sec-Fetch-Dest') === 'empty';

/** Back to the card of a page in which a form stands: without scripts the page begins there, with them nothing moves. */
export const redirectToCard = (request: Request, page: string, card: string): Response =>
  redirect(isByScripts(request) ? page : `${page}#${card}`);

const PAGE = /^\/(?!\/)[!-[\]-~]{0,300}$/;

/** The page of ours that a form names in a field, where it names one. */
export function returnPathFrom(form: FormData, name: string): string | undefined {
  const said = form.get(name);
  return typeof said === 'string' && PAGE.test(said) ? said : undefined;
}
