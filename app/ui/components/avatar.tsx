import { cx } from '#app/ui/cx.ts';

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const ends = words.length > 1 ? [words[0]!, words.at(-1)!] : words;
  return ends.map((word) => [...word][0]!.toUpperCase()).join('');
}

type AvatarProps = { name: string; picture?: string | null; className?: string };

/** The initials show when the picture fails to load: LinkedIn's picture URLs expire. */
export const Avatar = ({ name, picture, className }: AvatarProps) => (
  <span aria-hidden className={cx('avatar', className)}>
    {initialsOf(name) || 'in'}
    {picture && <img src={picture} alt="" referrerPolicy="no-referrer" />}
  </span>
);
