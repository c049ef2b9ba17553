type ProgressProps = { value: number; max: number; label: string };

export function Progress({ value, max, label }: ProgressProps) {
  return (
    <label className="block">
      <span className="mb-1.5 block text-sm text-ink-2 tabular-nums">{label}</span>
      <progress className="progress" value={value} max={max} />
    </label>
  );
}
