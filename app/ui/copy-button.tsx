import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { useHydrated } from './hydrated.ts';

const SAYS_SO_FOR_MS = 2000;

/** Copies a text that also stands selectable beside it; without scripts there is no button. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false);
  const isHydrated = useHydrated();
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(setCopied, SAYS_SO_FOR_MS, false);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (!isHydrated) return null;

  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true));
  const Icon = isCopied ? Check : Copy;
  return (
    <Button variant="secondary" size="sm" onClick={copy}>
      <Icon aria-hidden size={16} />
      {/* Both words take their place, so that the button keeps its width. */}
      <span aria-live="polite" className="grid justify-items-start *:[grid-area:1/1]">
        <span className={isCopied ? undefined : 'invisible'}>Copied!</span>
        <span className={isCopied ? 'invisible' : undefined}>
          Copy<span className="sr-only"> {label}</span>
        </span>
      </span>
    </Button>
  );
}
