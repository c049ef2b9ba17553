type TimeProps = { iso: string; text: string; title?: string; className?: string };

export const Time = ({ iso, text, title, className }: TimeProps) => (
  <time dateTime={iso} title={title} className={className}>
    {text}
  </time>
);
