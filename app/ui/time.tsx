type TimeProps = { iso: string; text: string; title?: string; className?: string };

/** An instant in words the server chose, with the exact instant for machines. */
export const Time = ({ iso, text, title, className }: TimeProps) => (
  <time dateTime={iso} title={title} className={className}>
    {text}
  </time>
);
