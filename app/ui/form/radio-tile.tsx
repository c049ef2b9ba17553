import type { ComponentProps } from 'react';

type RadioTileProps = ComponentProps<'input'> & { label: string; text?: string };

export function RadioTile({ label, text, children, ...input }: RadioTileProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md border border-line-strong px-3 py-2 has-checked:border-brand has-checked:bg-brand-soft">
      <input type="radio" {...input} className="radio" />
      <span className="min-w-0">
        <span className="block font-medium">{label}</span>
        {text && <span className="block text-sm break-words text-ink-2">{text}</span>}
      </span>
      {children}
    </label>
  );
}
