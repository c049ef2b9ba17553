import { cx } from '#app/ui/cx.ts';

export function TideLine({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1440 160"
      preserveAspectRatio="none"
      className={cx('tide', className)}
    >
      <path
        className="tide-3"
        d="M-240 70q120-44 240 0t240 0 240 0 240 0 240 0 240 0 240 0 240 0V160H-240Z"
      />
      <path
        className="tide-2"
        d="M-240 96q120 38 240 0t240 0 240 0 240 0 240 0 240 0 240 0 240 0V160H-240Z"
      />
      <path
        className="tide-1"
        d="M-240 122q120-30 240 0t240 0 240 0 240 0 240 0 240 0 240 0 240 0V160H-240Z"
      />
    </svg>
  );
}
