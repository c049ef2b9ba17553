import { Form, useFetcher } from 'react-router';
import { type FailureProps, noteSwitch } from './unanswered.ts';

type SwitchButtonProps = FailureProps & {
  isOn: boolean;
  label: string;
  action?: string;
  name?: string;
  isLabelVisible?: boolean;
  /** What the address says when somebody is to be asked before it is switched off. */
  asksFirst?: { name: string; value: string };
};

/** A switch in its own form: it posts `name=value` (the state it would change to) and shows it at once. */
export function SwitchButton(props: SwitchButtonProps) {
  const { asksFirst, isOn, ...words } = props;
  const fetcher = useFetcher();
  if (asksFirst && isOn && fetcher.state === 'idle') {
    return (
      <Form preventScrollReset className="inline-flex">
        <Track {...props} {...asksFirst} />
      </Form>
    );
  }
  return (
    <fetcher.Form
      method="post"
      action={props.action}
      className="inline-flex"
      onSubmit={({ currentTarget }) => noteSwitch(currentTarget, words)}
    >
      <Track {...props} isOn={fetcher.state === 'idle' ? isOn : !isOn} value={isOn ? 'false' : 'true'} />
    </fetcher.Form>
  );
}

function Track({
  isOn,
  label,
  name = 'isActive',
  value,
  isLabelVisible = false,
}: SwitchButtonProps & { value: string }) {
  return (
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
}
