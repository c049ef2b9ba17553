import { Link } from 'react-router';

export type NotedText = {
  doubts: { quote: string; why: string }[];
  said: string | null;
  /** Where its owner can do something about it. */
  more?: { to: string; label: string } | null;
};

/** What is to be known of a text before it goes out: what stands in it unproved, and how it is otherwise. */
export const TextWarnings = ({ notes }: { notes: NotedText | null }) =>
  notes && (
    <div className="grid gap-1 text-sm">
      {notes.doubts.map(({ quote, why }) => (
        <p key={quote} className="break-words text-warning-ink">
          “<bdi>{quote}</bdi>” {why}
        </p>
      ))}
      {notes.said && <p className="break-words text-ink-3">{notes.said}</p>}
      {notes.more && (
        <Link to={notes.more.to} className="btn btn-sm btn-ghost -ms-3 justify-self-start">
          {notes.more.label}
        </Link>
      )}
    </div>
  );
