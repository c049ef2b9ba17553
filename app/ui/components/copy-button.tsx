import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { cx } from '#app/ui/cx.ts';
import { Button } from '#app/ui/form/button.tsx';
import { reportError } from '#app/ui/form/failure/client-errors.ts';
import { useHydrated } from '#app/ui/use-hydrated.ts';

const COPIED_SHOWN_MS = 2000;

const look = (isShown: boolean) => cx('inline-flex items-center gap-2', !isShown && 'invisible');

/** Copies a text. Needs scripts, so the text must also be visible beside the button. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const isHydrated = useHydrated();
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(setCopied, COPIED_SHOWN_MS, false);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (!isHydrated) return null;

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      reportError('Failed to copy. Select the text and copy it by hand.', new URL(location.href));
    }
  };
  return (
    <Button variant="secondary" size="sm" onClick={copy}>
      {/* Both labels are laid out, so that the button keeps its width. */}
      <span aria-live="polite" className="grid justify-items-center *:[grid-area:1/1]">
        <span className={look(isCopied)}>
          <Check aria-hidden size={16} />
          Copied!
        </span>
        <span className={look(!isCopied)}>
          <Copy aria-hidden size={16} />
          Copy<span className="sr-only"> {label}</span>
        </span>
      </span>
    </Button>
  );
}
