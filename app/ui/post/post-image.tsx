import { ImageOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

type PostImageProps = { src: string; alt?: string | null; className?: string };

const LOOK = 'max-h-72 w-full rounded-md border border-line bg-sunken object-contain';

export function PostImage({ src, alt, className = LOOK }: PostImageProps) {
  const image = useRef<HTMLImageElement>(null);
  const [broken, setBroken] = useState<string>();
  // The error event of an image that failed before hydration has passed.
  useEffect(() => {
    const { complete, naturalWidth } = image.current ?? {};
    if (complete && naturalWidth === 0) setBroken(src);
  }, [src]);
  if (broken === src) {
    return (
      <p className="flex items-center gap-2 rounded-md bg-danger-soft px-3 py-2 text-sm text-danger-ink">
        <ImageOff aria-hidden size={16} className="shrink-0" />
        Invalid image URL
      </p>
    );
  }
  return (
    <img
      ref={image}
      src={src}
      alt={alt ?? ''}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBroken(src)}
      className={className}
    />
  );
}
