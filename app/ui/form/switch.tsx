import { useFetcher } from 'react-router';
import { type FailureProps, registerSwitch } from '#app/ui/form/failure/use-failure-message.ts';

type TrackProps = { isOn: boolean; label: string; name?: string; value: string; isLabelVisible?: boolean };
type SwitchButtonProps = FailureProps & Omit<TrackProps, 'value'> & { action?: string };

/** A switch in a form of its own. It posts `name=value` with the new state, and shows that state immediately. */
export function SwitchButton({ isOn, failure, isOnce, action, ...track }: SwitchButtonProps) {
  const fetcher = useFetcher();
  return (
    <fetcher.Form
      method="post"
      action={action}
      className="inline-flex"
      onSubmit={(event) => registerSwitch(event, { failure, isOnce })}
    >
      <SwitchTrack
        {...track}
        isOn={fetcher.state === 'idle' ? isOn : !isOn}
        value={isOn ? 'false' : 'true'}
      />
    </fetcher.Form>
  );
}

/** Submits the form around it. */
export const SwitchTrack = ({
  isOn,
  label,
  name = 'isActive',
  value,
  isLabelVisible = false,
}: TrackProps) => (
  <button
    type="submit"
    role="switch"
    aria-checked={isOn}
    aria-label={isLabelVisible ? undefined : label}
    name={name}
    value={value}
    className="switch"
  >
    <span aria-hidden className="switch-track" />
    {isLabelVisible && <span>{label}</span>}
  </button>
);
