import { CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { EmptyIcon } from '#app/ui/layout/page.tsx';

/** A heading that takes the focus when it comes after the page did. */
function Heading({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what else failed is told as well.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [title]);
  return (
    <h1 ref={heading} tabIndex={-1} className="mt-5 font-display text-2xl font-semibold">
      {title}
    </h1>
  );
}

type FailedFrameProps = { title: string; text: string; children: ReactNode };

/** What is the matter, in place of a page that is not shown. */
export const FailedFrame = ({ title, text, children }: FailedFrameProps) => (
  <section className="max-w-xl py-6 sm:py-12">
    <title>{`${title} – Tidepost`}</title>
    <EmptyIcon icon={CircleAlert} />
    <Heading title={title} />
    <p className="mt-2 text-lg text-ink-2 text-pretty">{text}</p>
    {children}
  </section>
);
