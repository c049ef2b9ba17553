import { useFetcher } from 'react-router';
import { type FailureProps, noteSwitch } from './unanswered.ts';

type SwitchButtonProps = FailureProps & {
  isOn: boolean;
  label: string;
  action?: string;
  name?: string;
  isLabelVisible?: boolean;
};

/** A switch in its own form: it posts `name=value` (the state it would change to) and shows it at once. */
export function SwitchButton({
  isOn,
  label,
  action,
  name = 'isActive',
  isLabelVisible = false,
  ...words
}: SwitchButtonProps) {
  const fetcher = useFetcher();
  const shown = fetcher.state === 'idle' ? isOn : !isOn;
  return (
    <fetcher.Form
      method="post"
      action={action}
      className="inline-flex"
      onSubmit={({ currentTarget }) => noteSwitch(currentTarget, words)}
    >
      <button
        type="submit"
        role="switch"
        aria-checked={shown}
        aria-label={isLabelVisible ? undefined : label}
        name={name}
        value={isOn ? 'false' : 'true'}
        className="switch"
      >
        <span aria-hidden className="switch-track" />
        {isLabelVisible && <span>{label}</span>}
      </button>
    </fetcher.Form>
  );
}
