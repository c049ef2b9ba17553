import { CircleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { EmptyIcon } from '#app/ui/layout/page.tsx';

function Heading({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another failure moves the focus again.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [title]);
  return (
    <h1 ref={heading} tabIndex={-1} className="mt-5 font-display text-2xl font-semibold">
      {title}
    </h1>
  );
}

type FailedFrameProps = { title: string; text: string; children: ReactNode };

export const FailedFrame = ({ title, text, children }: FailedFrameProps) => (
  <section className="max-w-xl py-6 sm:py-12">
    <title>{`${title} – Tidepost`}</title>
    <EmptyIcon icon={CircleAlert} />
    <Heading title={title} />
    <p className="mt-2 text-lg text-ink-2 text-pretty">{text}</p>
    {children}
  </section>
);
