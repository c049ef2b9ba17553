import { useFetcher } from 'react-router';

type SwitchButtonProps = {
  isOn: boolean;
  label: string;
  action?: string;
  name?: string;
  value?: string;
  fields?: Record<string, string>;
  isLabelVisible?: boolean;
};

/** A switch in its own form: it posts `name=value` (the state it would change to) and shows it at once. */
export function SwitchButton({
  isOn,
  label,
  action,
  name = 'isActive',
  value = isOn ? 'false' : 'true',
  fields = {},
  isLabelVisible = false,
}: SwitchButtonProps) {
  const fetcher = useFetcher();
  const shown = fetcher.state === 'idle' ? isOn : !isOn;
  return (
    <fetcher.Form method="post" action={action} className="inline-flex">
      {Object.entries(fields).map(([key, fixed]) => (
        <input key={key} type="hidden" name={key} value={fixed} />
      ))}
      <button
        type="submit"
        role="switch"
        aria-checked={shown}
        aria-label={isLabelVisible ? undefined : label}
        name={name}
        value={value}
        className="switch"
      >
        <span aria-hidden className="switch-track" />
        {isLabelVisible && <span>{label}</span>}
      </button>
    </fetcher.Form>
  );
}
