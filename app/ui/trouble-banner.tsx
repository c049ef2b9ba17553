import { Link, useLocation } from 'react-router';

/** What is the matter with the connection to LinkedIn. */
export type Trouble =
  | { kind: 'lost' }
  | { kind: 'missed'; isOne: boolean }
  | { kind: 'ending'; days: number };

/** What is the matter, and the call for what helps where the header has none. */
function wordsOf(trouble: Trouble): { title: string; text: string; button?: string } {
  if (trouble.kind === 'lost') {
    const text = 'Its permission to post for you has ended. Your posts are held and keep their places.';
    return { title: 'LinkedIn is no longer connected', text };
  }
  if (trouble.kind === 'missed') {
    return trouble.isOne
      ? {
          title: 'A post was missed',
          text: 'Its time passed before LinkedIn was connected. It waits until you choose.',
          button: 'Choose what becomes of it',
        }
      : {
          title: 'Posts were missed',
          text: 'Their time passed before LinkedIn was connected. They wait until you choose.',
          button: 'Choose what becomes of them',
        };
  }
  return { ...endingIn(trouble.days), button: 'Connect again' };
}

export const endingIn = (days: number) => ({
  title: `LinkedIn ends our permission ${days <= 1 ? 'within a day' : `in ${days} days`}`,
  text: 'Connect again before that, and no post misses its time.',
});

/** On every page but the one that mends it, which says more. */
export function TroubleBanner({ trouble }: { trouble: Trouble }) {
  const { pathname } = useLocation();
  if (pathname === '/app/linkedin') return null;
  const { title, text, button } = wordsOf(trouble);
  return (
    <Link to="/app/linkedin" className={`trouble-banner${trouble.kind === 'lost' ? ' is-lost' : ''}`}>
      <span>
        <span className="font-semibold">{title}.</span> {text}
      </span>
      {button && <span className="trouble-cta">{button}</span>}
    </Link>
  );
}
