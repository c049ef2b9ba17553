import { Link } from 'react-router';

export type NotedText = {
  doubts: { quote: string; why: string }[];
  said: string | null;
  more?: { to: string; label: string } | null;
};

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
